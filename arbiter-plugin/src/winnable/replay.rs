//! Lines are believed only after shakmaty has replayed them.

use engine::board::{CastlingSide, Color, Move, MoveKind, PieceType, Position, Square};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Position as _, Role, Setup,
};

/// Whether `line` is a sequence of legal moves from `position` after which `winner` has mated.
pub(super) fn mates(position: &Position, winner: Color, line: &[Move]) -> bool {
    let Some(mut game) = chess(position) else {
        return false;
    };
    for &mv in line {
        let Some(mv) = translate(&game, mv) else {
            return false;
        };
        if !game.is_legal(mv) {
            return false;
        }
        game.play_unchecked(mv);
    }
    game.turn() == color(!winner) && game.is_checkmate()
}

/// The position as shakmaty's; `None` where it refuses the position.
pub(super) fn chess(position: &Position) -> Option<Chess> {
    let set = |set: engine::board::Bitboard| Bitboard(set.0);
    let of = |kind| set(position.kind(kind));
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: of(PieceType::Pawn),
            knight: of(PieceType::Knight),
            bishop: of(PieceType::Bishop),
            rook: of(PieceType::Rook),
            queen: of(PieceType::Queen),
            king: of(PieceType::King),
        },
        ByColor {
            white: set(position.color(Color::White)),
            black: set(position.color(Color::Black)),
        },
    )
    .ok()?;
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = color(position.side_to_move());
    setup.ep_square = position.ep_square().map(square);
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling_rook(color, side) {
                setup.castling_rights.add(square(rook));
            }
        }
    }
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .ok()
}

fn translate(game: &Chess, mv: Move) -> Option<shakmaty::Move> {
    let (from, to) = (square(mv.from()), square(mv.to()));
    Some(match mv.kind() {
        MoveKind::Castling => shakmaty::Move::Castle { king: from, rook: to },
        MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
        kind => shakmaty::Move::Normal {
            role: game.board().role_at(from)?,
            from,
            capture: game.board().role_at(to),
            to,
            promotion: match kind {
                MoveKind::Promotion(promoted) => Some(role(promoted)),
                _ => None,
            },
        },
    })
}

fn color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}

fn role(kind: PieceType) -> Role {
    match kind {
        PieceType::Pawn => Role::Pawn,
        PieceType::Knight => Role::Knight,
        PieceType::Bishop => Role::Bishop,
        PieceType::Rook => Role::Rook,
        PieceType::Queen => Role::Queen,
        PieceType::King => Role::King,
    }
}
