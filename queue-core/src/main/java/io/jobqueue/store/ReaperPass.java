package io.jobqueue.store;

import java.util.List;

/**
 * What the reaper did at once.
 *
 * @param taken the jobs that were taken away, empty if there were none left
 * @param buried those of them that died
 * @param forgotten the names of workers that were removed
 * @param waiting whether there are jobs that wait for others
 */
public record ReaperPass(List<ReapedJobs> taken, List<BuriedJob> buried, List<String> forgotten, boolean waiting) {
}
