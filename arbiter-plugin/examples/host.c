/* A host in C: plays fool's mate before the arbiter and prints what it rules.
 *
 *   cc -I arbiter-plugin/include arbiter-plugin/examples/host.c \
 *      -L target/release -larbiter_plugin -o host && LD_LIBRARY_PATH=target/release ./host
 */
#include <stdio.h>
#include <string.h>

#include "arbiter.h"

static int tell(ArbiterHandle *arbiter, const char *event)
{
    char *answer = arbiter_observe(arbiter, event);
    int over = strstr(answer, "\"game_over\"") != NULL;
    printf("%s\n", answer);
    arbiter_string_free(answer);
    return over;
}

int main(void)
{
    const char *events[] = {
        "{\"type\":\"game_started\",\"edition\":\"2018\",\"time_control\":"
        "{\"mode\":\"none\",\"periods\":[{\"moves\":null,\"base_ms\":300000}]}}",
        "{\"type\":\"moves_played\",\"t0\":1000,\"ms_per_move\":1000,"
        "\"uci\":[\"f2f3\",\"e7e5\",\"g2g4\"]}",
        "{\"type\":\"move_made\",\"by\":\"b\",\"t\":4000,\"uci\":\"d8h4\"}",
    };
    if (arbiter_abi_version() != ARBITER_ABI_VERSION) {
        fprintf(stderr, "the library has another version than the header\n");
        return 2;
    }
    char *version = arbiter_version();
    printf("%s\n", version);
    arbiter_string_free(version);

    ArbiterHandle *arbiter = arbiter_create();
    int over = 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        over = tell(arbiter, events[i]);
    char *state = arbiter_state(arbiter);
    printf("%s\n", state);
    arbiter_string_free(state);
    arbiter_free(arbiter);

    char *mate = arbiter_can_mate("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "w");
    printf("%s\n", mate);
    arbiter_string_free(mate);
    return over ? 0 : 1;
}
