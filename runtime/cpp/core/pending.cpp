#include "pending.hpp"

#include "../threads/team.hpp"

namespace lastuse {

std::vector<Primitive> make_all(const std::vector<PendingPrimitive> &pending, int threads) {
    TeamSizes teams;
    for (const auto &each : pending)
        if (teams.count(each.threads) == 0)
            teams[each.threads] = team_size(each.threads);
    std::vector<Primitive> made(pending.size());
    share_out(pending.size(), threads, teams, [&](size_t number) { made[number] = pending[number].make(); });
    return made;
}

} // namespace lastuse
