package io.jobqueue.store;

import java.util.List;

/**
 * What the reaper did at once.
 *
 * @param taken the jobs that were taken away, empty if there were none left
 * @param ended the jobs that ended: those of them that died, and those that were
 * cancelled
 * @param forgotten the names of workers that were removed
 * @param followUps whether there are jobs that wait for others to finish
 */
public record ReaperPass(List<ReapedJobs> taken, List<EndedJob> ended, List<String> forgotten, boolean followUps) {
}
