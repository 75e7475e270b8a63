package io.jobqueue.boot.metrics;

import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * What is timed. Percentiles come from buckets that end where more detail has no use; an
 * application's own settings and filters go first.
 */
enum JobTimer {

	RUN("jobqueue.job.run", "Run time of handlers", Duration.ofMillis(1), Duration.ofMinutes(30)),

	WAIT("jobqueue.job.wait", "Time from when a job is due until its handler starts", Duration.ofMillis(1),
			Duration.ofHours(1)),

	ENQUEUE("jobqueue.enqueue", "Time that a caller waits for its jobs to be written", Duration.ofNanos(100_000),
			Duration.ofSeconds(10)),

	CLAIM("jobqueue.claim", "Time that a worker waits for the answer to a claim", Duration.ofNanos(100_000),
			Duration.ofSeconds(10));

	private final String meter;

	private final String description;

	private final Duration shortest;

	private final Duration longest;

	JobTimer(String meter, String description, Duration shortest, Duration longest) {
		this.meter = meter;
		this.description = description;
		this.shortest = shortest;
		this.longest = longest;
	}

	Timer register(MeterRegistry registry, Tags tags) {
		return Timer.builder(this.meter)
			.tags(tags)
			.description(this.description)
			.minimumExpectedValue(this.shortest)
			.maximumExpectedValue(this.longest)
			.register(registry);
	}

}
