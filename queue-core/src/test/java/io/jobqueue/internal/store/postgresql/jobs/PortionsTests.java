package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.NewJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobInserts#portions}.
 */
class PortionsTests {

	private static final String MILLION = "x".repeat(1_000_000);

	private static NewJob job(Encoded payload, @Nullable String headers) {
		return new NewJobBuilder().payload(payload).headers(headers).build();
	}

	private static NewJob job(String payload) {
		return job(Encoded.ofText(payload), null);
	}

	private static List<Integer> sizes(NewJob... jobs) {
		return sizes(List.of(jobs));
	}

	private static List<Integer> sizes(List<NewJob> jobs) {
		List<List<NewJob>> portions = JobInserts.portions(jobs);
		assertThat(portions.stream().flatMap(List::stream)).containsExactlyElementsOf(jobs);
		return portions.stream().map(List::size).toList();
	}

	private static List<NewJob> jobs(int count) {
		return Stream.generate(() -> job("{}")).limit(count).toList();
	}

	@Test
	void portionHasAThousandJobs() {
		assertThat(sizes(jobs(1_000))).containsExactly(1_000);
		assertThat(sizes(jobs(1_001))).containsExactly(1_000, 1);
		assertThat(sizes(jobs(2_001))).containsExactly(1_000, 1_000, 1);
	}

	@Test
	void portionHasFourMillionCharacters() {
		NewJob large = job(MILLION);
		assertThat(sizes(large, large, large, large)).containsExactly(4);
		assertThat(sizes(large, large, large, large, job("x"))).containsExactly(4, 1);
	}

	@Test
	void largeJobIsAPortionOfItsOwn() {
		NewJob small = job("x");
		NewJob large = job(MILLION.repeat(5));
		assertThat(sizes(large)).containsExactly(1);
		assertThat(sizes(small, large, small)).containsExactly(1, 1, 1);
	}

	@Test
	void firstJobOfAPortionCounts() {
		NewJob large = job(MILLION.repeat(3));
		assertThat(sizes(large, large, large)).containsExactly(1, 1, 1);
	}

	@Test
	void headersAndBytesCount() {
		NewJob headers = job(Encoded.ofText(""), MILLION);
		NewJob bytes = job(Encoded.ofBytes(new byte[1_000_000]), null);
		assertThat(sizes(headers, bytes, headers, bytes)).containsExactly(4);
		assertThat(sizes(headers, headers, headers, headers, headers)).containsExactly(4, 1);
		assertThat(sizes(bytes, bytes, bytes, bytes, bytes)).containsExactly(4, 1);
	}

}
