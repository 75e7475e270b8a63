package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.JobAlert;
import io.jobqueue.JobState;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;

/**
 * Describes what needs a person: queues without a worker, alerts, pauses, and handlers or
 * workers that hang. Jobs that are due are not a problem until an alert says so.
 */
final class ProblemFinder {

	private static final int MILLIS_PER_SECOND = 1_000;

	private ProblemFinder() {
	}

	/**
	 * Return the problems, the most urgent kinds first: whole queues that stand still or
	 * lose their jobs, then what hangs or is late, and what a person has paused last.
	 * @param due the queues with due jobs
	 * @param served the queues that living workers serve
	 * @param pauses the pauses
	 * @param alerts the alerts of this node
	 * @param dying the queues of which many jobs have died
	 * @param workers the workers
	 */
	static List<Problem> find(Collection<String> due, Collection<String> served, Collection<QueuePause> pauses,
			Collection<JobAlert> alerts, Collection<DyingQueue> dying, WorkerTable workers) {
		return Stream
			.of(unserved(due, served, pauses), dying.stream().map(ProblemFinder::describe), silent(workers),
					handlers(workers), alerts.stream().map(ProblemFinder::describe),
					pauses.stream().map(ProblemFinder::describe))
			.flatMap(Function.identity())
			.toList();
	}

	private static Stream<Problem> unserved(Collection<String> due, Collection<String> served,
			Collection<QueuePause> pauses) {
		Set<String> unserved = new TreeSet<>(due);
		unserved.removeAll(Set.copyOf(served));
		unserved.removeAll(pauses.stream()
			.filter((pause) -> pause.type() == null)
			.map(QueuePause::queue)
			.collect(Collectors.toSet()));
		return unserved.stream().map((queue) -> Problem.ofWorkers("No living worker serves queue " + queue));
	}

	private static Problem describe(DyingQueue queue) {
		return Problem.ofDead("%s: %s of %s jobs died in the last %s minutes".formatted(queue.queue(),
				number(queue.died()), number(queue.ended()), DyingQueue.PERIOD.toMinutes()), queue.queue());
	}

	private static String number(long number) {
		return String.format(Locale.ENGLISH, "%,d", number);
	}

	private static Problem describe(JobAlert alert) {
		String subject = new QueueClass(alert.queue(), alert.priority())
				+ ((alert.type() != null) ? ", type " + alert.type() + "," : "");
		return switch (alert.metric()) {
			case AGE -> Problem.ofJobs(
					"%s is %s late (limit %s)".formatted(subject, seconds(alert.value()), limit(alert.threshold())),
					alert.queue(), JobState.READY.name());
			case RUN_TIME -> Problem.ofWorkers("A handler of %s has run for %s (limit %s)".formatted(subject,
					seconds(alert.value()), limit(alert.threshold())));
			case ATTEMPTS -> Problem.ofJobs(
					"A job of %s has failed %s (limit %s)".formatted(subject,
							LogText.counted(Math.round(alert.value()), "time"), Math.round(alert.threshold())),
					alert.queue(), JobState.RETRYING.name());
		};
	}

	private static String seconds(double seconds) {
		return (seconds < 1) ? "less than 1s" : DurationText.of(Duration.ofSeconds(Math.round(seconds)));
	}

	private static String limit(double seconds) {
		return DurationText.of(Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND)));
	}

	private static Stream<Problem> handlers(WorkerTable workers) {
		return Stream.concat(counted(workers.stuck(), "handler", "is stuck", "are stuck"),
				counted(workers.slow(), "handler", "is slow", "are slow"));
	}

	private static Stream<Problem> silent(WorkerTable workers) {
		return counted(workers.silent(), "worker", "sends no heartbeat", "send no heartbeat");
	}

	private static Stream<Problem> counted(long number, String noun, String one, String many) {
		return (number == 0) ? Stream.empty()
				: Stream.of(Problem.ofWorkers(LogText.counted(number, noun) + " " + ((number == 1) ? one : many)));
	}

	private static Problem describe(QueuePause pause) {
		String paused = (pause.type() != null) ? "Type %s of queue %s".formatted(pause.type(), pause.queue())
				: "Queue " + pause.queue();
		String by = (pause.by() != null) ? " by " + pause.by() : "";
		String why = (pause.reason() != null) ? ", because: " + pause.reason() : "";
		return new Problem(paused + " was paused" + by + why, pause.since(), Problem.PAUSES);
	}

}
