package io.jobqueue.store;

import java.util.List;

/**
 * What the reaper did at once.
 *
 * @param taken the jobs that were taken away, empty if there were none left
 * @param lost the same jobs, one by one
 * @param forgotten the names of workers that were removed
 * @param waiting whether there are jobs that wait for others
 */
public record ReaperPass(List<ReapedJobs> taken, List<LostJob> lost, List<String> forgotten, boolean waiting) {

	/**
	 * Return the jobs that died.
	 * @return the jobs
	 */
	public List<LostJob> buried() {
		return this.lost.stream().filter(LostJob::dead).toList();
	}

}
