package io.jobqueue;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A threshold that the jobs of a queue and priority class have crossed.
 *
 * @param queue the queue
 * @param priority the priority class
 * @param metric the metric
 * @param type the name of the type if the threshold is that of a type, {@code null} if it
 * is that of the priority class
 * @param value the last measurement: seconds, or a number of failed attempts
 * @param threshold the threshold, in the same unit
 * @param since the time of the first measurement beyond the threshold, by this node's
 * clock
 */
public record JobAlert(String queue, PriorityClass priority, Metric metric, @Nullable String type, double value,
		double threshold, Instant since) {

	/**
	 * Return a text for people.
	 */
	@Override
	public String toString() {
		String type = (this.type != null) ? ", type=" + this.type : "";
		return "Alert[queue=%s, priority=%s%s, %s, threshold=%s]".formatted(this.queue, this.priority.tagValue(), type,
				this.metric.describe(this.value), this.metric.print(this.threshold));
	}

	/**
	 * The metric of an alert.
	 */
	public enum Metric {

		/**
		 * How long the oldest due job has been waiting, in seconds.
		 */
		AGE("age"),

		/**
		 * How long the slowest handler of this JVM has been running, in seconds.
		 */
		RUN_TIME("run time"),

		/**
		 * The highest number of failed attempts of an unfinished job.
		 */
		ATTEMPTS("attempts");

		private final String label;

		Metric(String label) {
			this.label = label;
		}

		private String describe(double value) {
			return this.label + "=" + print(value);
		}

		private String print(double value) {
			return (this == ATTEMPTS) ? Long.toString(Math.round(value))
					: TimeText.of(Duration.ofMillis(Math.round(value * 1000)));
		}

	}

}
