package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class CachedValueTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final Duration MOMENT = Duration.ofMillis(1);

	private static final LoggingSystem LOGGING = LoggingSystem.get(CachedValueTests.class.getClassLoader());

	private final TestClock clock = new TestClock();

	private final AtomicInteger reads = new AtomicInteger();

	private final CachedValue<Integer> value = new CachedValue.Factory(this.clock, INTERVAL, Runnable::run)
		.create("the numbers", this::next);

	private boolean databaseIsDown;

	@BeforeEach
	void logRecoveries() {
		LOGGING.setLogLevel(CachedValue.class.getName(), LogLevel.INFO);
	}

	@AfterEach
	void resetLogging() {
		LOGGING.setLogLevel(CachedValue.class.getName(), null);
	}

	@Test
	void nothingIsReadBeforeTheFirstCall() {
		assertThat(this.reads).hasValue(0);
	}

	@Test
	void valueIsCachedForTheInterval() {
		assertThat(this.value.current()).isEqualTo(1);
		this.clock.move(INTERVAL.minus(MOMENT));
		assertThat(this.value.current()).isEqualTo(1);
		this.clock.move(MOMENT);
		assertThat(this.value.current()).isEqualTo(2);
		assertThat(this.value.latest()).isEqualTo(2);
	}

	@Test
	void clockThatIsSetBackStopsNoRefresh() {
		this.value.current();
		this.clock.move(Duration.ofDays(-1));
		assertThat(this.value.current()).isEqualTo(2);
		assertThat(this.value.current()).isEqualTo(2);
		this.clock.move(INTERVAL);
		assertThat(this.value.current()).isEqualTo(3);
	}

	@Test
	void previousValueIsKnownForThreeIntervals() {
		this.value.current();
		this.databaseIsDown = true;
		this.clock.move(INTERVAL.multipliedBy(3).minus(MOMENT));
		assertThat(this.value.current()).isEqualTo(1);
		this.clock.move(MOMENT);
		assertThat(this.value.current()).isNull();
		assertThat(this.value.latest()).isEqualTo(1);
	}

	@Test
	void valueIsUnknownAfterTheClockWasSetBackUntilItIsReadAgain() {
		this.value.current();
		this.databaseIsDown = true;
		this.clock.move(MOMENT.negated());
		assertThat(this.value.current()).isNull();
	}

	@Test
	void failureIsNotRepeatedBeforeTheInterval() {
		this.databaseIsDown = true;
		assertThat(this.value.current()).isNull();
		assertThat(this.value.latest()).isNull();
		this.databaseIsDown = false;
		this.clock.move(INTERVAL.minus(MOMENT));
		assertThat(this.value.current()).isNull();
		this.clock.move(MOMENT);
		assertThat(this.value.current()).isEqualTo(1);
	}

	@Test
	void failureAndRecoveryAreLoggedOnce(CapturedOutput output) {
		this.value.current();
		this.databaseIsDown = true;
		IntStream.range(0, 3).forEach((round) -> readAgain());
		this.databaseIsDown = false;
		IntStream.range(0, 3).forEach((round) -> readAgain());
		assertThat(output).doesNotContain("\tat ");
		assertThat(output.getOut().lines().filter((line) -> line.contains("the numbers from the database"))).hasSize(2)
			.satisfiesExactly(
					(line) -> assertThat(line).contains("WARN")
						.contains("Could not read the numbers from the database"),
					(line) -> assertThat(line).contains("INFO")
						.contains("Reading the numbers from the database works again"));
	}

	private void readAgain() {
		this.clock.move(INTERVAL);
		this.value.current();
	}

	@Test
	void manyCallsWaitOnceAndOneThreadReads() throws Exception {
		BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
		CachedValue<Integer> slow = CachedValue.Factory.of(this.clock, INTERVAL)
			.create("the numbers", () -> slow(answers));
		long begun = System.nanoTime();
		IntStream.range(0, 1000).forEach((gauge) -> assertThat(slow.current()).isNull());
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(400));
		this.clock.move(INTERVAL);
		assertThat(slow.current()).isNull();
		assertThat(this.reads).hasValue(1);
		answers.add(7);
		await().untilAsserted(() -> assertThat(slow.current()).isEqualTo(7));
	}

	@Test
	void interruptedCallReturnsAndStaysInterrupted() {
		BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
		CachedValue<Integer> slow = CachedValue.Factory.of(this.clock, INTERVAL)
			.create("the numbers", () -> slow(answers));
		Thread.currentThread().interrupt();
		assertThat(slow.current()).isNull();
		assertThat(Thread.interrupted()).isTrue();
		answers.add(7);
	}

	private int slow(BlockingQueue<Integer> answers) {
		assertThat(Thread.currentThread().isDaemon()).isTrue();
		this.reads.incrementAndGet();
		try {
			Integer answer = answers.poll(30, TimeUnit.SECONDS);
			assertThat(answer).isNotNull();
			return answer;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private int next() {
		if (this.databaseIsDown) {
			throw new IllegalStateException("The database is down");
		}
		return this.reads.incrementAndGet();
	}

}
