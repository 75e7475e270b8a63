package io.jobqueue.internal.worker.execution;

import java.io.IOException;
import java.net.ConnectException;

import org.junit.jupiter.api.Test;

import io.jobqueue.UnreadablePayloadException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which failures have the same fingerprint.
 */
class ErrorFingerprintTests {

	@Test
	void classOfTheRootCauseAndFirstFrameOfTheApplication() {
		Throwable root = thrown(new ConnectException("Connection refused: mail-7"), "java.net.Socket.connect",
				"org.springframework.mail.Sender.send", "com.acme.Smtp.send", "com.acme.Mails.handle");
		Throwable around = thrown(new IllegalStateException("job 4711", root), "com.acme.Mails.handle");
		assertThat(ErrorFingerprint.of(around)).isEqualTo("java.net.ConnectException at com.acme.Smtp.send");
	}

	@Test
	void frameIsThatOfTheCauseAroundIfTheRootHasNone() {
		Throwable root = thrown(new IOException(), "java.net.Socket.connect", "io.jobqueue.internal.worker.Run.run");
		Throwable around = thrown(new IllegalStateException(root), "java.util.Optional.get", "com.acme.Mails.handle");
		assertThat(ErrorFingerprint.of(around)).isEqualTo("java.io.IOException at com.acme.Mails.handle");
	}

	@Test
	void classAloneWithoutAFrameOfTheApplication() {
		assertThat(ErrorFingerprint.of(thrown(new IOException(), "java.net.Socket.connect")))
			.isEqualTo("java.io.IOException");
		assertThat(ErrorFingerprint.of(thrown(new IOException()))).isEqualTo("java.io.IOException");
	}

	@Test
	void frameOfTheApiIsNotOfTheApplication() {
		assertThat(ErrorFingerprint.of(thrown(new IllegalArgumentException(), "io.jobqueue.JobRequest.of",
				"io.jobqueue.sample.mail.Mails.send")))
			.isEqualTo("java.lang.IllegalArgumentException at io.jobqueue.sample.mail.Mails.send");
	}

	/**
	 * Users know the exception around it.
	 */
	@Test
	void exceptionOfTheQueueIsThatOfTheApi() {
		Throwable internal = new PrivateToTheQueue();
		assertThat(ErrorFingerprint.of(new UnreadablePayloadException("mail", "", internal)))
			.startsWith("io.jobqueue.UnreadablePayloadException");
		assertThat(ErrorFingerprint.of(internal)).startsWith(PrivateToTheQueue.class.getName());
	}

	@SuppressWarnings("serial")
	private static final class PrivateToTheQueue extends RuntimeException {

	}

	@Test
	void generatedNamesAreThoseOfTheSource() {
		assertThat(ErrorFingerprint.of(thrown(new IOException(), "com.acme.Smtp$Session.lambda$send$12")))
			.isEqualTo("java.io.IOException at com.acme.Smtp$Session.send");
		assertThat(ErrorFingerprint.of(thrown(new IOException(), "com.acme.Smtp$$SpringCGLIB$$0.send")))
			.isEqualTo("java.io.IOException at com.acme.Smtp.send");
	}

	@Test
	void exceptionMayThrowItself() {
		IllegalStateException odd = new IllegalStateException() {

			@Override
			public synchronized Throwable getCause() {
				throw new UnsupportedOperationException();
			}

		};
		assertThat(ErrorFingerprint.of(odd)).isEqualTo(odd.getClass().getName());
	}

	@Test
	void longNamesAreCut() {
		assertThat(ErrorFingerprint.of(thrown(new IOException(), "com.acme.%s.send".formatted("x".repeat(1_000)))))
			.hasSize(500);
	}

	private static Throwable thrown(Throwable thrown, String... frames) {
		StackTraceElement[] trace = new StackTraceElement[frames.length];
		for (int frame = 0; frame < frames.length; frame++) {
			int dot = frames[frame].lastIndexOf('.');
			trace[frame] = new StackTraceElement(frames[frame].substring(0, dot), frames[frame].substring(dot + 1),
					"Source.java", frame);
		}
		thrown.setStackTrace(trace);
		return thrown;
	}

}
