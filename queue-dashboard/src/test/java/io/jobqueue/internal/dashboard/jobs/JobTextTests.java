package io.jobqueue.internal.dashboard.jobs;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.internal.dashboard.jobs.ErrorList.Failure;
import io.jobqueue.internal.dashboard.ShortText;
import io.jobqueue.internal.store.JobCount;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts on pages of jobs.
 */
class JobTextTests {

	@ParameterizedTest
	@CsvSource({ "java.net.ConnectException at com.acme.Smtp.send, ConnectException at Smtp.send",
			"com.acme.Outer$Failure at com.acme.mail.Outer$Smtp.send, Outer$Failure at Outer$Smtp.send",
			"Failure, Failure", "com.acme.failure at com.acme.main, com.acme.failure at com.acme.main" })
	void errorIsShownWithoutPackages(String fingerprint, String text) {
		JobCount one = new JobCount(1, false);
		assertThat(new Failure("emails", fingerprint, one, one).summary()).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "mails, mails", "letter, lett…", "mail😀, mail…", "fax😀x, fax…" })
	void textIsCutBetweenCharacters(String text, String cut) {
		assertThat(ShortText.of(text, 5)).isEqualTo(cut);
	}

	@Test
	void traceIsLinkedByItsId() {
		Map<String, String> headers = Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
		assertThat(TraceLink.of(headers, "https://traces/{traceId}?x")).isEqualTo(
				new TraceLink("4bf92f3577b34da6a3ce929d0e0e4736", "https://traces/4bf92f3577b34da6a3ce929d0e0e4736?x"));
		assertThat(TraceLink.of(headers, null)).isEqualTo(new TraceLink("4bf92f3577b34da6a3ce929d0e0e4736", null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "javascript:alert(1)", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
			"00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01" })
	void otherHeadersAreNoTrace(String header) {
		assertThat(TraceLink.of(Map.of("traceparent", header), "https://traces/{traceId}")).isNull();
	}

}
