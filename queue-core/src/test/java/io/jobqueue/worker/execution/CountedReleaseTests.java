package io.jobqueue.worker.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RetryDecision;
import io.jobqueue.policy.QueueSettings;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which releases of handlers that do not end count.
 */
class CountedReleaseTests {

	private final QueueSettings settings = new QueueSettings(1, 1, Duration.ofHours(1), "max-run-time", null,
			(failure) -> RetryDecision.giveUp(), null, false, null, null, ClusterLimits.NONE, AdmissionRules.NONE);

	@ParameterizedTest
	@CsvSource({ "3, 1, false, false", "3, 2, false, true", "3, 9, false, true", "1, 0, false, true",
			"0, 9, false, false", "3, 9, true, false" })
	void releaseCountsFromTheConfiguredNumberOn(int counted, int releases, boolean atMostOnce, boolean counts) {
		OutcomePolicy outcomes = new OutcomePolicy((queue) -> this.settings.withCountedReleases(counted));
		assertThat(outcomes.countsRelease(job(releases, atMostOnce))).isEqualTo(counts);
	}

	private static ClaimedJob job(int releases, boolean atMostOnce) {
		return new ClaimedJob(new UUID(0, 1), 1, "emails", "mail", Encoded.ofText("{}"), 10, Instant.EPOCH, 1, 1, 0, 25,
				Duration.ofMinutes(1), Instant.EPOCH, null, null, null, null, atMostOnce, false, releases);
	}

}
