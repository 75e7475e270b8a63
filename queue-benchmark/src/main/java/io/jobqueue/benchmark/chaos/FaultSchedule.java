package io.jobqueue.benchmark.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Lets faults happen at random, again and again, while others may still last. None comes
 * a second time before each has come once.
 */
final class FaultSchedule {

	private static final Logger logger = LoggerFactory.getLogger(FaultSchedule.class);

	private static final int MIN_PAUSE_MILLIS = 1_000;

	private static final int MAX_PAUSE_MILLIS = 3_000;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final List<Fault> faults;

	private final Random random;

	private final List<Fault> next = new ArrayList<>();

	private final Map<String, Integer> struck = Collections.synchronizedMap(new TreeMap<>());

	FaultSchedule(List<Fault> faults, Random random) {
		this.faults = faults;
		this.random = random;
	}

	/**
	 * Let faults happen, and wait until the last one is over.
	 * @param time how long faults begin
	 * @return how often each has happened
	 */
	Map<String, Integer> run(Duration time) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		ExecutorService threads = Executors.newCachedThreadPool();
		for (long pause = pause(); pause < end - System.nanoTime(); pause = pause()) {
			TimeUnit.NANOSECONDS.sleep(pause);
			Fault fault = draw();
			Random own = new Random(this.random.nextLong());
			threads.execute(() -> strike(fault, own));
		}
		TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
		threads.shutdown();
		Assert.state(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS), "A fault did not end");
		return this.struck;
	}

	private long pause() {
		return TimeUnit.MILLISECONDS.toNanos(this.random.nextInt(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS));
	}

	private Fault draw() {
		if (this.next.isEmpty()) {
			this.next.addAll(this.faults);
			Collections.shuffle(this.next, this.random);
		}
		return this.next.remove(0);
	}

	/**
	 * A worker may be dead and the server away when the next fault is to hit them.
	 */
	private void strike(Fault fault, Random own) {
		try {
			fault.strike(own);
			this.struck.merge(fault.name(), 1, Integer::sum);
		}
		catch (Exception ex) {
			logger.warn("{} found no target: {}", fault.name(), ex.toString());
		}
	}

}
