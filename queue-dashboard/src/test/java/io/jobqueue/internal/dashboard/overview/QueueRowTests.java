package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.dashboard.overview.QueueRow.Pause;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The texts of a row.
 */
class QueueRowTests {

	@ParameterizedTest
	@CsvSource({ "120, 10, 70, 2m", "1, 0, 600, 1s", "90, 0, 60, 1m 30s", "100, 60, 60, –", "100, 61, 60, grows",
			"0, 61, 60, –", "100, , 60, –", "100, 60, , –" })
	void timeToDrainIsWaitingByTheDifferenceOfTheRates(long waiting, @Nullable Double in, @Nullable Double out,
			String expected) {
		assertThat(row(new JobCount(waiting, false), in, out).timeToDrain()).isEqualTo(expected);
	}

	@Test
	void timeToDrainIsALowerBoundIfMoreJobsWaitThanAreCounted() {
		assertThat(row(new JobCount(10_000, true), 1.0, 1001.0).timeToDrain()).isEqualTo("> 10m");
	}

	@Test
	void timeToDrainOfASlowQueueIsLong() {
		assertThat(row(new JobCount(10_000, false), 1.0, 1.0 + Double.MIN_NORMAL).timeToDrain()).isEqualTo("–");
		assertThat(row(new JobCount(10_000, false), 0.0, Double.MIN_NORMAL).timeToDrain()).endsWith("h");
	}

	@Test
	void timeToDrainOfUncountedJobsIsUnknown() {
		QueueRow row = new QueueRow(new QueueClass("emails", PriorityClass.EVENTUAL), null, null, null, 0, 1.0, 2.0,
				Pause.NONE, false);
		assertThat(row.timeToDrain()).isEqualTo("–");
	}

	@Test
	void ageIsInSeconds() {
		assertThat(row(new JobCount(1, false), 0.0, 0.0).age()).isEqualTo("4m 12s");
	}

	@Test
	void nameOfTheQueueIsEncoded() {
		QueueRow row = new QueueRow(new QueueClass("a&b=c <d>", null), null, null, null, 0, null, null, Pause.NONE,
				false);
		assertThat(row.parameter()).isEqualTo("queue=a%26b%3Dc%20%3Cd%3E");
	}

	@Test
	void tooManyRowsAreThoseWithTroubleAndTheOldestJobs() {
		List<QueueRow> rows = List.of(row("a", null, false), row("b", null, true), row("c", 5L, false),
				row("d", 9L, false), row("e", 1L, true));
		assertThat(OverviewReader.first(rows, 5)).isEqualTo(rows);
		assertThat(OverviewReader.first(rows, 3)).extracting((row) -> row.subject().queue())
			.containsExactly("b", "d", "e");
	}

	private static QueueRow row(String queue, @Nullable Long oldest, boolean late) {
		return new QueueRow(new QueueClass(queue, null), null, null,
				(oldest != null) ? Duration.ofSeconds(oldest) : null, 0, null, null, Pause.NONE, late);
	}

	private static QueueRow row(JobCount ready, @Nullable Double in, @Nullable Double out) {
		JobCount none = new JobCount(0, false);
		return new QueueRow(new QueueClass("emails", PriorityClass.EVENTUAL),
				new TierCounts(none, ready, none, none, none), none, Duration.ofMillis(252_900), 0, in, out, Pause.NONE,
				false);
	}

}
