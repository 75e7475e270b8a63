package io.jobqueue.benchmark.load;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.jobqueue.JobContext;
import io.jobqueue.Priority;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.subject.Work;
import io.jobqueue.benchmark.timing.Histogram;

/**
 * How long jobs waited from the time when they were due until their first handler
 * started, by priority. The clocks of the database and of this process are the same.
 */
final class Waits {

	private final Map<Priority, Histogram> byPriority = MixedJobs.PRIORITIES.stream()
		.collect(Collectors.toMap(Function.identity(), (priority) -> new Histogram()));

	void started(Work work, JobContext job) {
		Histogram waits = this.byPriority.get(job.priority());
		if (waits != null && job.attempt() == 1) {
			waits.add(ChronoUnit.MICROS.between(job.runAt(), Instant.now()));
		}
	}

	Result addTo(Result result) {
		Result more = result;
		for (Priority priority : MixedJobs.PRIORITIES) {
			Histogram waits = Objects.requireNonNull(this.byPriority.get(priority));
			more = more.with("p99_ms_priority_" + priority.value(), waits.percentile(0.99));
		}
		return more;
	}

}
