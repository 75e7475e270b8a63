package io.jobqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

import org.springframework.util.Assert;

import io.jobqueue.internal.store.StorableDuration;

/**
 * The time of the tests of one context: that of the database plus an offset, which is
 * zero before each test. Each test thread has an offset of its own, so that tests that
 * run at the same time do not move each other's time; threads of the application have the
 * latest one.
 */
final class TestTime {

	private static final String NOW = "statement_timestamp()";

	private final Map<Thread, Duration> own = Collections.synchronizedMap(new WeakHashMap<>());

	private volatile Duration latest = Duration.ZERO;

	Duration offset() {
		return this.own.getOrDefault(Thread.currentThread(), this.latest);
	}

	void advance(Duration by) {
		Assert.isTrue(!by.isNegative(), () -> "'by' is %s: time moves forward only".formatted(by));
		Assert.isTrue(StorableDuration.LONGEST.minus(offset()).compareTo(by) >= 0,
				() -> "'by' is %s: time moves at most 36,500 days ahead".formatted(by));
		set(offset().plus(by));
	}

	void reset() {
		set(Duration.ZERO);
	}

	private void set(Duration offset) {
		this.own.put(Thread.currentThread(), offset);
		this.latest = offset;
	}

	/**
	 * Run work at the time of the database, as other workers that share it do.
	 */
	void atRealTime(Runnable work) {
		Duration before = offset();
		this.own.put(Thread.currentThread(), Duration.ZERO);
		try {
			work.run();
		}
		finally {
			this.own.put(Thread.currentThread(), before);
		}
	}

	/**
	 * Return a statement that reads this time in place of that of the database.
	 */
	String shift(String sql) {
		Duration offset = offset();
		return offset.isZero() ? sql : sql.replace(NOW, "(statement_timestamp() + interval '%s microseconds')"
			.formatted(TimeUnit.NANOSECONDS.toMicros(offset.toNanos())));
	}

	Clock clock() {
		return new OffsetClock(ZoneOffset.UTC);
	}

	private final class OffsetClock extends Clock {

		private final ZoneId zone;

		private OffsetClock(ZoneId zone) {
			this.zone = zone;
		}

		@Override
		public ZoneId getZone() {
			return this.zone;
		}

		@Override
		public Clock withZone(ZoneId other) {
			return new OffsetClock(other);
		}

		@Override
		public Instant instant() {
			return Instant.now().plus(TestTime.this.offset());
		}

	}

}
