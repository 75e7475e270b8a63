package io.jobqueue.boot.reading;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * How readings are taken.
 *
 * @param clock measures their age
 * @param interval how long a reading is good for
 * @param threads what takes them
 */
public record Readings(Clock clock, Duration interval, Executor threads) {

	/**
	 * Have readings taken by daemon threads that end with them.
	 * @param clock measures their age
	 * @param interval how long a reading is good for
	 * @return how readings are taken
	 */
	public static Readings of(Clock clock, Duration interval) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("jobqueue-reading-");
		factory.setDaemon(true);
		return new Readings(clock, interval, (task) -> factory.newThread(task).start());
	}

	/**
	 * Create a reading that has not been taken yet.
	 * @param <T> its type
	 * @param what what is read, for the log: the beginning of a sentence in the plural
	 * @param source what reads
	 * @return the reading
	 */
	public <T> LatestReading<T> read(String what, Supplier<T> source) {
		return new LatestReading<>(what, source, this);
	}

}
