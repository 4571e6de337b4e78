"""Every fault that is tried."""

from __future__ import annotations

from tests.faults import alone, clocks, together
from tests.faults.cluster import ALONE_ON_SQLITE, PAIR, SKEWED_PAIR, WORKERS
from tests.faults.scene import Fault

FAULTS = (
    Fault("nothing", alone.nothing, PAIR),
    Fault("server-killed", alone.server_killed, ALONE_ON_SQLITE),
    Fault("servers-killed", alone.server_killed, PAIR),
    Fault("database-stopped", alone.database_stopped, PAIR),
    Fault("redis-stopped", together.redis_stopped, PAIR),
    Fault("redis-emptied", together.redis_emptied, PAIR),
    Fault("redis-saturated", together.redis_saturated, PAIR),
    Fault("network-cut", alone.network_cut, PAIR),
    Fault("network-delayed", alone.network_delayed, PAIR),
    Fault("network-half-open", alone.network_half_open, PAIR),
    Fault("network-doubled", alone.network_doubled, PAIR),
    Fault("node-killed", together.node_killed, PAIR),
    Fault("worker-killed", together.worker_killed, WORKERS),
    Fault("game-on-both-nodes", together.game_on_both_nodes, PAIR, racers=2),
    Fault("node-stopped-and-woken", together.node_stopped_and_woken, PAIR),
    Fault("node-woken-after-the-end", together.node_woken_after_the_end, PAIR),
    Fault("rolling-restart", together.nodes_restarted_one_by_one, PAIR),
    Fault("clocks-off", clocks.clocks_off, SKEWED_PAIR),
)
