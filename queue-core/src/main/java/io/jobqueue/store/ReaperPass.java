package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the reaper did at once.
 *
 * @param taken the jobs that were taken away, empty if there were none left
 * @param lost the same jobs, one by one
 * @param ended the jobs that ended: those of them that died, and those that were
 * cancelled
 * @param forgotten the names of workers that were removed
 * @param waiting whether there are jobs that wait for others
 * @param keyed whether there are jobs that may wait for their ordering or limit key
 * @param nominated those that are to be judged again because others are dead
 * @param last the last claim that was looked at, {@code null} if there are no more
 */
public record ReaperPass(List<ReapedJobs> taken, List<LostJob> lost, List<EndedJob> ended, List<String> forgotten,
		boolean waiting, boolean keyed, Collection<Arrival> nominated, @Nullable ReaperPlace last) {
}
