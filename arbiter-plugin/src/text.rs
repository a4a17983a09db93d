//! The sentences of the rulings, in English and in Spanish.

use crate::plugin::{GameResult, Language, Reason, RulingKind, Side};

/// A sentence that says what is ruled, with the article's number in the edition in force.
pub fn sentence(kind: &RulingKind, article: &str, language: Language) -> String {
    match language {
        Language::English => format!("{} (Article {article}).", english(kind)),
        Language::Spanish => format!("{} (Artículo {article}).", spanish(kind)),
    }
}

fn white_black(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

fn blanco_negro(side: Side) -> &'static str {
    match side {
        Side::White => "el Blanco",
        Side::Black => "el Negro",
    }
}

/// The same after `de`.
fn del(side: Side) -> &'static str {
    match side {
        Side::White => "del Blanco",
        Side::Black => "del Negro",
    }
}

fn seconds(ms: i64) -> String {
    match ms % 1000 {
        0 => format!("{} s", ms / 1000),
        _ => format!("{:.3} s", ms as f64 / 1000.0),
    }
}

fn english(kind: &RulingKind) -> String {
    use RulingKind as K;
    match kind {
        K::GameOver { result, reason, .. } => english_end(*result, reason),
        K::GameCancelled { .. } => "The game is cancelled; a new one is played".into(),
        K::NoAction => "Nothing follows from this".into(),
        K::IllegalMoveRecorded { side, count } => {
            format!("Illegal move number {count} by {} is recorded", white_black(*side))
        }
        K::PositionRestored { to_ply, .. } => {
            format!("The position after {to_ply} half-moves is restored")
        }
        K::TimeAdjusted { side, delta_ms, .. } => match delta_ms < &0 {
            true => format!("{} loses {}", white_black(*side), seconds(-delta_ms)),
            false => format!("{} receives {}", white_black(*side), seconds(*delta_ms)),
        },
        K::ClockReturnedTo { side } => format!("{}'s clock runs again", white_black(*side)),
        K::ClocksStopped => "The clocks are stopped".into(),
        K::PromotionForced { square, .. } => format!("The pawn on {square} becomes a queen"),
        K::PeriodAdvanced { side, clock_ms } => {
            format!("{} enters the next period with {}", white_black(*side), seconds(*clock_ms))
        }
        K::Obligation { side, .. } => {
            format!("{} must {}", white_black(*side), english_duty(kind))
        }
        K::OfferStanding { by } => format!("{}'s draw offer stands", white_black(*by)),
        K::AgreementRefused => "A draw may not be agreed now".into(),
        K::ClaimRejected { by } => format!("{}'s claim is wrong", white_black(*by)),
        K::ClaimRefused { by } => format!("{}'s claim is not admitted", white_black(*by)),
        K::ComplaintRefused { by } => format!("{}'s complaint is not admitted", white_black(*by)),
        K::Warning { side, .. } => format!("{} is warned", white_black(*side)),
        K::Penalty { side, kind } => format!("{} is penalised: {kind}", white_black(*side)),
        K::Expulsion { who } => format!("The {who} must leave"),
        K::Score { white, black } => format!("Points: White {white}, Black {black}"),
        K::ScoreRejected { white, black } => format!("Points {white} to {black} are not allowed"),
        K::ResultRecorded { result } => {
            format!("The signed result {} is recorded", result.as_str())
        }
        K::AppealRecorded { by } => format!("{}'s appeal is recorded", white_black(*by)),
        K::Snapshot { .. } => "Position, times and move counters are written down".into(),
        K::ClaimAvailable { by, .. } => format!("{} could claim a draw", white_black(*by)),
    }
}

fn english_duty(kind: &RulingKind) -> String {
    let RulingKind::Obligation {
        must_move, must_capture, must_play, promote_to, free, must, ..
    } = kind
    else {
        return String::new();
    };
    match (must.as_deref(), must_play, promote_to, must_move, must_capture, free) {
        (Some("restore_position"), ..) => "restore the position in his own time".into(),
        (Some("update_scoresheet"), ..) => "bring his scoresheet up to date".into(),
        (Some("reconstruct"), ..) => "help to reconstruct the game".into(),
        (Some(other), ..) => other.into(),
        (_, Some(uci), ..) => format!("play {uci}"),
        (_, _, Some(piece), ..) => format!("promote to {piece}"),
        (_, _, _, Some(own), Some(enemy), _) => format!("capture on {enemy} with the man on {own}"),
        (_, _, _, Some(own), ..) => format!("move the man on {own}"),
        (_, _, _, _, Some(enemy), _) => format!("capture the man on {enemy}"),
        (_, _, _, _, _, Some(true)) => "make a legal move, which he may choose".into(),
        _ => "make a legal move".into(),
    }
}

fn english_end(result: GameResult, reason: &Reason) -> String {
    let outcome = match result {
        GameResult::WhiteWins => "White wins",
        GameResult::BlackWins => "Black wins",
        GameResult::Draw => "The game is drawn",
        GameResult::BothLose => "The game is lost by both",
    };
    let ground = match reason {
        Reason::Checkmate => "by checkmate",
        Reason::Stalemate => "by stalemate",
        Reason::DeadPosition => "because neither side can mate any more",
        Reason::Agreement => "by agreement",
        Reason::Resignation => "by resignation",
        Reason::ResignationOpponentCannotMate => {
            "by resignation against an opponent who cannot mate"
        }
        Reason::ThreefoldClaim => "by a correct claim of threefold repetition",
        Reason::FiftyMovesClaim => "by a correct claim of fifty moves",
        Reason::Fivefold => "by fivefold repetition",
        Reason::SeventyFiveMoves => "by seventy-five moves without pawn move or capture",
        Reason::FlagFall => "because the opponent's flag has fallen",
        Reason::FlagFallOpponentCannotMate => {
            "because a flag has fallen and the opponent cannot mate"
        }
        Reason::BothFlags => "because both flags are down in the last period",
        Reason::SecondIllegalMove => "because the opponent completed another illegal move",
        Reason::SecondIllegalMoveOpponentCannotMate => {
            "because of another illegal move, and the opponent cannot mate"
        }
        Reason::ForfeitLate => "by default: late arrival",
        Reason::Device => "because the opponent carried an electronic device",
        Reason::RefusalToComply => "because the opponent refuses to comply with the Laws",
        Reason::BothLose => "because both refuse to comply with the Laws",
        Reason::PenaltyLoss => "by a penalty",
        Reason::SignedResult => "as the players signed",
        Reason::ArbiterDecision => "by decision of the arbiter",
        Reason::Other(other) => return format!("{outcome}: {other}"),
    };
    format!("{outcome} {ground}")
}

fn capitalised(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}

fn spanish(kind: &RulingKind) -> String {
    use RulingKind as K;
    let text = match kind {
        K::GameOver { result, reason, .. } => spanish_end(*result, reason),
        K::GameCancelled { .. } => "la partida se anula y se juega una nueva".into(),
        K::NoAction => "no procede ninguna acción".into(),
        K::IllegalMoveRecorded { side, count } => {
            format!("se anota {} el movimiento ilegal número {count}", al(*side))
        }
        K::PositionRestored { to_ply, .. } => {
            format!("se restablece la posición tras {to_ply} medios movimientos")
        }
        K::TimeAdjusted { side, delta_ms, .. } => match delta_ms < &0 {
            true => format!("{} pierde {}", blanco_negro(*side), seconds(-delta_ms)),
            false => format!("{} recibe {}", blanco_negro(*side), seconds(*delta_ms)),
        },
        K::ClockReturnedTo { side } => {
            format!("vuelve a correr el reloj {}", del(*side))
        }
        K::ClocksStopped => "se detienen los relojes".into(),
        K::PromotionForced { square, .. } => {
            format!("el peón de {square} se sustituye por una dama")
        }
        K::PeriodAdvanced { side, clock_ms } => {
            format!("{} pasa al siguiente período con {}", blanco_negro(*side), seconds(*clock_ms))
        }
        K::Obligation { side, .. } => {
            format!("{} debe {}", blanco_negro(*side), spanish_duty(kind))
        }
        K::OfferStanding { by } => {
            format!("sigue en pie la oferta de tablas {}", del(*by))
        }
        K::AgreementRefused => "no se admite ahora el acuerdo de tablas".into(),
        K::ClaimRejected { by } => format!("la reclamación {} es incorrecta", del(*by)),
        K::ClaimRefused { by } => {
            format!("la reclamación {} no se admite", del(*by))
        }
        K::ComplaintRefused { by } => format!("la queja {} no se admite", del(*by)),
        K::Warning { side, .. } => format!("se advierte {}", al(*side)),
        K::Penalty { side, kind } => {
            format!("se sanciona {}: {}", al(*side), spanish_penalty(kind))
        }
        K::Expulsion { .. } => "el infractor debe abandonar el recinto".into(),
        K::Score { white, black } => format!("puntuación: Blanco {white}, Negro {black}"),
        K::ScoreRejected { white, black } => {
            format!("no se permite la puntuación {white} a {black}")
        }
        K::ResultRecorded { result } => {
            format!("se registra el resultado firmado, {}", result.as_str())
        }
        K::AppealRecorded { by } => format!("se registra la apelación {}", del(*by)),
        K::Snapshot { .. } => "se anotan la posición, los tiempos y los contadores".into(),
        K::ClaimAvailable { by, .. } => format!("{} podría reclamar tablas", blanco_negro(*by)),
    };
    capitalised(text)
}

/// The same after `a`.
fn al(side: Side) -> &'static str {
    match side {
        Side::White => "al Blanco",
        Side::Black => "al Negro",
    }
}

fn spanish_penalty(kind: &str) -> &str {
    match kind {
        "warning" => "advertencia",
        "fine" => "multa",
        "exclusion" => "exclusión de rondas",
        "expulsion" => "expulsión",
        other => other,
    }
}

fn spanish_duty(kind: &RulingKind) -> String {
    let RulingKind::Obligation {
        must_move, must_capture, must_play, promote_to, free, must, ..
    } = kind
    else {
        return String::new();
    };
    match (must.as_deref(), must_play, promote_to, must_move, must_capture, free) {
        (Some("restore_position"), ..) => "restablecer la posición en su propio tiempo".into(),
        (Some("update_scoresheet"), ..) => "actualizar su planilla".into(),
        (Some("reconstruct"), ..) => "ayudar a reconstruir la partida".into(),
        (Some(other), ..) => other.into(),
        (_, Some(uci), ..) => format!("jugar {uci}"),
        (_, _, Some(piece), ..) => format!("promocionar a {piece}"),
        (_, _, _, Some(own), Some(enemy), _) => {
            format!("capturar en {enemy} con la pieza de {own}")
        }
        (_, _, _, Some(own), ..) => format!("mover la pieza de {own}"),
        (_, _, _, _, Some(enemy), _) => format!("capturar la pieza de {enemy}"),
        (_, _, _, _, _, Some(true)) => "hacer un movimiento legal, que puede elegir".into(),
        _ => "hacer un movimiento legal".into(),
    }
}

fn spanish_end(result: GameResult, reason: &Reason) -> String {
    let outcome = match result {
        GameResult::WhiteWins => "gana el Blanco",
        GameResult::BlackWins => "gana el Negro",
        GameResult::Draw => "tablas",
        GameResult::BothLose => "pierden ambos",
    };
    let ground = match reason {
        Reason::Checkmate => "por jaque mate",
        Reason::Stalemate => "por rey ahogado",
        Reason::DeadPosition => "por posición muerta",
        Reason::Agreement => "por acuerdo",
        Reason::Resignation => "por abandono",
        Reason::ResignationOpponentCannotMate => {
            "por abandono ante un adversario que no puede dar mate"
        }
        Reason::ThreefoldClaim => "por reclamación correcta de triple repetición",
        Reason::FiftyMovesClaim => "por reclamación correcta de 50 movimientos",
        Reason::Fivefold => "por quíntuple repetición",
        Reason::SeventyFiveMoves => "por 75 movimientos sin mover peón ni capturar",
        Reason::FlagFall => "por caída de bandera del adversario",
        Reason::FlagFallOpponentCannotMate => {
            "por caída de bandera ante un adversario que no puede dar mate"
        }
        Reason::BothFlags => "porque ambas banderas han caído en el último período",
        Reason::SecondIllegalMove => "por otro movimiento ilegal del adversario",
        Reason::SecondIllegalMoveOpponentCannotMate => {
            "por otro movimiento ilegal ante un adversario que no puede dar mate"
        }
        Reason::ForfeitLate => "por incomparecencia",
        Reason::Device => "porque el adversario llevaba un dispositivo electrónico",
        Reason::RefusalToComply => "porque el adversario se niega a cumplir las Leyes",
        Reason::BothLose => "porque ambos se niegan a cumplir las Leyes",
        Reason::PenaltyLoss => "por sanción",
        Reason::SignedResult => "según lo firmado",
        Reason::ArbiterDecision => "por decisión del árbitro",
        Reason::Other(other) => return format!("{outcome}: {other}"),
    };
    format!("{outcome} {ground}")
}
