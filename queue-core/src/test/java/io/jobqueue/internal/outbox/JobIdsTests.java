package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobIds}.
 */
class JobIdsTests {

	/**
	 * As many ids of one millisecond ascend.
	 */
	private static final int NUMBERS = 4_096;

	private long millis = 1_800_000_000_123L;

	private final JobIds ids = new JobIds(new ManualClock());

	@Test
	void ascendWithinMilliseconds() {
		List<UUID> first = create(NUMBERS);
		this.millis++;
		List<UUID> second = create(NUMBERS);
		assertThat(Stream.of(first, second).flatMap(List::stream)).isSorted().doesNotHaveDuplicates();
		assertThat(second).allSatisfy(this::isOfNow);
	}

	/**
	 * A thread may read the clock before another one, and create its id after that.
	 */
	@Test
	void ascendWhenTheClockGoesBack() {
		List<UUID> first = create(2);
		this.millis--;
		List<UUID> second = create(2);
		this.millis -= 60_000;
		assertThat(Stream.of(first, second, create(2)).flatMap(List::stream)).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void ascendWhenNumbersAreUsedUp() {
		assertThat(create(3 * NUMBERS)).isSorted().doesNotHaveDuplicates();
	}

	private List<UUID> create(int count) {
		return Stream.generate(this.ids).limit(count).toList();
	}

	private void isOfNow(UUID id) {
		assertThat(id.version()).isEqualTo(7);
		assertThat(id.variant()).isEqualTo(2);
		assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(this.millis);
	}

	private final class ManualClock extends Clock {

		@Override
		public long millis() {
			return JobIdsTests.this.millis;
		}

		@Override
		public Instant instant() {
			return Instant.ofEpochMilli(millis());
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
