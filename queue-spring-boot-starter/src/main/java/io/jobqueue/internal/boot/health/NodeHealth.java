package io.jobqueue.internal.boot.health;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.WorkerStatus;

/**
 * Health of the worker on this node, determined without the database.
 */
public final class NodeHealth {

	private final String name;

	private final @Nullable JobWorker worker;

	private final BooleanSupplier overdue;

	private final BooleanSupplier listening;

	private final long createdAt = System.nanoTime();

	/**
	 * Create the health of a node.
	 * @param name the node's name
	 * @param worker its worker, {@code null} if it has none
	 * @param overdue whether the worker should have started and has not
	 * @param listening whether this node is notified of commits of other nodes
	 */
	public NodeHealth(String name, @Nullable JobWorker worker, BooleanSupplier overdue, BooleanSupplier listening) {
		this.name = name;
		this.worker = worker;
		this.overdue = overdue;
		this.listening = listening;
	}

	/**
	 * Return whether the worker is about to start, or has started for the first time
	 * within a grace. A node without a worker starts when this is created.
	 */
	boolean isStarting(Duration grace) {
		Duration since = sinceStart();
		return (since != null) ? since.compareTo(grace) < 0 : !this.overdue.getAsBoolean();
	}

	private @Nullable Duration sinceStart() {
		return (this.worker != null) ? this.worker.sinceStart() : Duration.ofNanos(System.nanoTime() - this.createdAt);
	}

	/**
	 * Return the reasons why the worker cannot work.
	 */
	List<String> problems(Duration toleratedOutage) {
		if (this.worker == null || this.worker.sinceStart() == null) {
			return this.overdue.getAsBoolean() ? List.of("The worker has not started; see the log") : List.of();
		}
		return this.worker.isRunning() ? problems(this.worker.status(), toleratedOutage)
				: List.of("The worker is not running");
	}

	private static List<String> problems(WorkerStatus status, Duration toleratedOutage) {
		List<String> problems = new ArrayList<>();
		if (status.silence().compareTo(toleratedOutage) > 0) {
			problems.add("The database has not answered the worker for %s".formatted(inSeconds(status.silence())));
		}
		new TreeMap<>(status.failing()).forEach((queue, duration) -> {
			if (duration.compareTo(toleratedOutage) > 0) {
				problems.add("Claiming jobs of queue %s has failed for %s; see the log".formatted(queue,
						inSeconds(duration)));
			}
		});
		status.stopped()
			.stream()
			.sorted()
			.forEach((queue) -> problems
				.add("Queue %s claims no further jobs on this node: too many handlers did not end when interrupted"
					.formatted(queue)));
		return problems;
	}

	private static String inSeconds(Duration duration) {
		return DurationText.of(duration.truncatedTo(ChronoUnit.SECONDS));
	}

	Map<String, Object> details() {
		WorkerStatus status = (this.worker != null) ? this.worker.status() : null;
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("node", this.name);
		details.put("worker", state(status));
		if (status != null) {
			details.put("queues", BoundedDetails.list(status.queues()));
			details.put("lastPoll", (status.lastPoll() != null) ? status.lastPoll().toString() : "none yet");
			details.put("wakeUp", this.listening.getAsBoolean() ? "signals" : "polling");
			details.put("stuckHandlers", BoundedDetails.map(status.stuck()));
			details.put("stoppedQueues", BoundedDetails.list(status.stopped()));
		}
		return details;
	}

	private String state(@Nullable WorkerStatus status) {
		if (this.worker == null || status == null) {
			return "disabled";
		}
		if (!this.worker.isRunning()) {
			return (this.worker.sinceStart() == null) ? "starting" : "stopped";
		}
		return status.queues().isEmpty() ? "without queues" : "running";
	}

}
