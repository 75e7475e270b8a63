package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

/**
 * What the reaper did at once.
 *
 * @param taken the jobs that were taken away, empty if there were none left
 * @param buried those of them that died
 * @param forgotten the names of workers that were removed
 * @param followUps whether there are jobs that wait for others to finish
 * @param keyed whether there are jobs that may wait for their ordering or limit key
 * @param nominated those that are to be judged again because others are dead
 */
public record ReaperPass(List<ReapedJobs> taken, List<BuriedJob> buried, List<String> forgotten, boolean followUps,
		boolean keyed, Collection<Arrival> nominated) {
}
