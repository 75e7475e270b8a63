package io.jobqueue.performance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often several idle workers look for jobs, all of them together.
 */
@Tag("slow") // counts the polls of several seconds
class SharedPollingGateTests extends GateTestBase {

	private static final String POLL = "served AS";

	private static final Duration INTERVAL = Duration.ofMillis(250);

	private static final Duration UNTIL_ALL_KNOW_EACH_OTHER = Duration.ofMillis(2_500);

	private static final Duration WINDOW = Duration.ofSeconds(5);

	/**
	 * The others take the turns of a worker that the machine delays for long: then it is
	 * measured again.
	 */
	private static final int ROUNDS = 12;

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4 })
	void pollsDoNotBecomeMoreWithMoreWorkers(int workers) {
		for (int worker = 0; worker < workers; worker++) {
			node(idle()).start();
		}
		List<Double> rounds = rounds(0.25, 1.25, "Polls of %d workers in an interval".formatted(workers));
		Assumptions.assumeThat(rounds).as("The machine lets workers poll").anyMatch((polls) -> polls >= 0.25);
		assertThat(rounds).anyMatch((polls) -> polls >= 0.25 && polls <= 1.25);
	}

	/**
	 * A worker that has no free handler cannot take what it finds, so it is not counted
	 * on.
	 */
	@Test
	void busyWorkerTakesNoTurn() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		node(settings().pollInterval(INTERVAL).concurrency(1).handler((mail, job) -> release.await())).start();
		producer().queue().enqueue("emails", new Mail("long"));
		await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL") == 1);
		node(idle()).start();
		assertThat(rounds(0.6, 2.5, "Polls of an idle worker, and of a busy one, in an interval"))
			.anyMatch((polls) -> polls >= 0.6 && polls <= 2.5);
		release.countDown();
	}

	private TestNodeSettings idle() {
		return settings().pollInterval(INTERVAL).handler((mail, job) -> this.handled.incrementAndGet());
	}

	private List<Double> rounds(double least, double most, String what) {
		List<Double> rounds = new ArrayList<>();
		while (rounds.size() < ROUNDS && rounds.stream().noneMatch((polls) -> polls >= least && polls <= most)) {
			rounds.add(pollsPerInterval());
			Gate.note(rounds.get(rounds.size() - 1), what);
		}
		return rounds;
	}

	private double pollsPerInterval() {
		pass(UNTIL_ALL_KNOW_EACH_OTHER);
		this.figures.reset();
		long since = System.nanoTime();
		pass(WINDOW);
		return this.figures.calls(POLL) * (double) INTERVAL.toNanos() / (System.nanoTime() - since);
	}

	private static void pass(Duration time) {
		Awaitility.await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
	}

}
