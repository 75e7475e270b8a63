package io.jobqueue.internal.dashboard.jobs;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;

/**
 * The errors of retrying and dead jobs.
 *
 * @param errors the errors, those of the most jobs first
 * @param more the number of further errors, of as many jobs or fewer
 * @param partial the queues that may have more errors, by name
 */
public record ErrorList(List<Failure> errors, int more, List<String> partial) {

	/**
	 * The maximum number of errors of retrying jobs that are counted, and of dead ones.
	 */
	public static final int MAX_COUNTED = 500;

	/**
	 * The maximum number of errors that are shown.
	 */
	static final int MAX_ERRORS = 100;

	static ErrorList of(ErrorCounts counts) {
		Map<List<String>, Failure> errors = new LinkedHashMap<>();
		counts.groups()
			.forEach((group) -> errors.merge(List.of(group.queue(), group.fingerprint()), Failure.of(group),
					Failure::plus));
		Comparator<Failure> fewestFirst = Comparator.comparingLong((failure) -> failure.jobs().jobs());
		List<Failure> sorted = errors.values().stream().sorted(fewestFirst.reversed()).toList();
		List<Failure> shown = sorted.subList(0, Math.min(MAX_ERRORS, sorted.size()));
		return new ErrorList(shown, sorted.size() - shown.size(), counts.partial());
	}

	/**
	 * Jobs of a queue whose last attempt has failed in the same way.
	 *
	 * @param queue the queue
	 * @param fingerprint the class of the exception, and the method in which it was
	 * thrown
	 * @param live the number of jobs that are not finished
	 * @param dead the number of dead jobs
	 */
	public record Failure(String queue, String fingerprint, JobCount live, JobCount dead) {

		/**
		 * A class in its package, or a method of a class in its package.
		 */
		private static final Pattern PACKAGE = Pattern.compile("(?:[a-z_][\\w]*\\.)+(?=[A-Z])");

		private static final JobCount NONE = new JobCount(0, false);

		static Failure of(ErrorGroup group) {
			return new Failure(group.queue(), group.fingerprint(), group.dead() ? NONE : group.count(),
					group.dead() ? group.count() : NONE);
		}

		Failure plus(Failure other) {
			return new Failure(this.queue, this.fingerprint, this.live.plus(other.live), this.dead.plus(other.dead));
		}

		/**
		 * Return the number of all jobs.
		 * @return the number
		 */
		public JobCount jobs() {
			return this.live.plus(this.dead);
		}

		/**
		 * Return the error without packages.
		 * @return such as {@code ConnectException at Smtp.send}
		 */
		public String summary() {
			return PACKAGE.matcher(this.fingerprint).replaceAll("");
		}

		/**
		 * Return the address of the list of the jobs that are not finished.
		 * @return the path with its parameters
		 */
		public String liveJobs() {
			return list("SCHEDULED,READY,RUNNING,RETRYING,BLOCKED");
		}

		/**
		 * Return the address of the list of the dead jobs.
		 * @return the path with its parameters
		 */
		public String deadJobs() {
			return list(JobState.DEAD.name());
		}

		/**
		 * Return the address of the list of all jobs.
		 * @return the path with its parameters
		 */
		public String allJobs() {
			return JobLinks.list(conditions());
		}

		private String list(String states) {
			Map<String, String> conditions = conditions();
			conditions.put("state", states);
			return JobLinks.list(conditions);
		}

		private Map<String, String> conditions() {
			Map<String, String> conditions = new LinkedHashMap<>();
			conditions.put("queue", this.queue);
			conditions.put("fingerprint", this.fingerprint);
			return conditions;
		}

	}

}
