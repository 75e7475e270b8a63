package io.jobqueue.internal.outbox;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.PayloadCodec;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.PayloadCodecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How payloads are checked, stored and read again.
 */
class PayloadTests extends NodeTestBase {

	private static final JacksonPayloadCodec JSON = new JacksonPayloadCodec(new JsonMapper());

	@Test
	void isReadableJsonByDefault() {
		UUID job = producer().queue().enqueue(new Mail("Grüße \uD83D\uDE00 \"q\"")).id();
		assertThat(column("payload", job, String.class)).isEqualTo("{\"text\":\"Grüße \uD83D\uDE00 \\\"q\\\"\"}");
		assertThat(column("type", job, String.class)).isEqualTo("mail");
	}

	@Test
	void reachesTheHandlerAsItWas() {
		List<Mail> received = new CopyOnWriteArrayList<>();
		QueueNode node = started((settings) -> settings.handler((mail, job) -> received.add(mail)));
		Mail mail = new Mail("Grüße \uD83D\uDE00 \0 \u2028 \\ \"");
		awaitState(node.queue().enqueue(mail).id(), "SUCCEEDED");
		assertThat(received).containsExactly(mail);
	}

	@Test
	void encodersBytesReachTheDecoderUnchanged() {
		byte[] all = new byte[256];
		for (int value = 0; value < all.length; value++) {
			all[value] = (byte) value;
		}
		EncodedAs codec = new EncodedAs(PayloadCodec.Encoded.ofBytes(all));
		QueueNode node = node(settings().codec(codec).handler((mail, job) -> {
		})).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(codec.decoded.get(0).bytes()).isEqualTo(all);
		assertThat(codec.decoded.get(0).text()).isNull();
	}

	@Test
	void encodersTextReachesTheDecoderUnchanged() {
		String text = " no JSON \t\r\n \uD83D\uDE00 \\ ' \" ";
		EncodedAs codec = new EncodedAs(PayloadCodec.Encoded.ofText(text));
		QueueNode node = node(settings().codec(codec).handler((mail, job) -> {
		})).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(codec.decoded.get(0).text()).isEqualTo(text);
		assertThat(column("payload", job, String.class)).isEqualTo(text);
	}

	@Test
	void eachQueueHasTheCodecThatIsForIt() {
		byte[] bytes = { 0, -1, 127, -128 };
		EncodedAs codec = new EncodedAs(PayloadCodec.Encoded.ofBytes(bytes));
		List<Mail> received = new CopyOnWriteArrayList<>();
		QueueNode node = node(
				settings().codecs(new PayloadCodecs(Map.of("emails", codec), JSON, JSON)).bean(new TwoQueues(received)))
			.start();
		awaitState(node.queue().enqueue("emails", new Mail("one")).id(), "SUCCEEDED");
		awaitState(node.queue().enqueue("letters", new Mail("two")).id(), "SUCCEEDED");
		UUID produced = node.queue().enqueue("only-produced", new Mail("three")).id();
		assertThat(codec.decoded).singleElement().satisfies((decoded) -> assertThat(decoded.bytes()).isEqualTo(bytes));
		assertThat(received).containsExactly(new Mail("decoded"), new Mail("two"));
		assertThat(column("payload", produced, String.class)).isEqualTo("{\"text\":\"three\"}");
	}

	@Test
	void nulAndHalvesOfCharactersAreRefused() {
		for (String text : List.of("a\0b", "a\uD83Db", "\uDE00")) {
			EncodedAs codec = new EncodedAs(PayloadCodec.Encoded.ofText(text));
			assertThatExceptionOfType(JobRejectedException.class)
				.isThrownBy(() -> node(settings().codec(codec)).queue().enqueue(new Mail("hi")))
				.satisfies((ex) -> assertThat(ex.property()).isEqualTo("payload"));
		}
		assertRefused(producer().queue(), new Mail("secret\uD83D"), "surrogate");
	}

	@Test
	void whatDoesNotSerialiseIsRefused() {
		assertRefused(producer().queue(), new Secretive(), "of type Secretive cannot be serialized");
		assertRefused(producer().queue(), new Endless(), "of type Endless cannot be serialized");
	}

	@Test
	void whatIsTooLargeIsRefusedAndWhatJustFitsIsNot() {
		JobQueue queue = node(settings().maxPayloadSize(20)).queue();
		assertRefused(queue, new Mail("0123456789"), "has 21 bytes, more than the 20");
		assertRefused(queue, new Mail("secretäö"), "has 21 bytes, more than the 20");
		UUID job = queue.enqueue(new Mail("012345678")).id();
		assertThat(column("payload", job, String.class)).isEqualTo("{\"text\":\"012345678\"}");
	}

	@Test
	void headersCountAsPartOfTheSize() {
		JobQueue queue = node(settings().maxPayloadSize(37)).queue();
		JobRequest request = JobRequest.of(new Mail("hi"));
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> queue.enqueue(request.header("tenant", "secretäöü")))
			.withMessageContaining("'headers' of a job of type mail have 25 bytes, and its payload has 13")
			.withMessageNotContaining("secret");
		assertThat(count("jobqueue_job")).isZero();
		queue.enqueue(request.header("tenant", "secret!!!!"));
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	@Test
	void tooManyBytesAreRefused() {
		EncodedAs codec = new EncodedAs(PayloadCodec.Encoded.ofBytes(new byte[21]));
		assertRefused(node(settings().codec(codec).maxPayloadSize(20)).queue(), new Mail("hi"), "has 21 bytes");
	}

	@Test
	void whatIsInvalidIsRefusedWithTheReasons() {
		JobQueue queue = node(settings().validator(new NoSecrets())).queue();
		assertRefused(queue, new Mail("secret"), "of type mail is invalid: text must not be logged");
		queue.enqueue(new Mail("news"));
		assertThat(count("jobqueue_job")).isEqualTo(1);
	}

	private void assertRefused(JobQueue queue, Object payload, String reason) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> queue.enqueue(payload))
			.withMessageContaining("'payload'")
			.withMessageContaining(reason)
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret"));
		assertThat(count("jobqueue_job")).isZero();
	}

	record TwoQueues(List<Mail> received) {

		@JobHandler(queue = "emails")
		void email(Mail mail) {
			this.received.add(mail);
		}

		@JobHandler(queue = "letters")
		void letter(Mail mail) {
			this.received.add(mail);
		}

	}

	static final class Secretive {

		public String getText() {
			return Objects.requireNonNull(null, "secret");
		}

	}

	static final class Endless {

		public Endless getSelf() {
			return this;
		}

	}

	private static final class NoSecrets implements Validator {

		@Override
		public boolean supports(Class<?> type) {
			return type == Mail.class;
		}

		@Override
		public void validate(Object target, Errors errors) {
			if (((Mail) target).text().equals("secret")) {
				errors.rejectValue("text", "secret", "must not be logged");
			}
		}

	}

	/**
	 * Encodes everything as the same, and notes what it gets to decode.
	 */
	private static final class EncodedAs implements PayloadCodec {

		private final Encoded encoded;

		private final List<Encoded> decoded = new CopyOnWriteArrayList<>();

		EncodedAs(Encoded encoded) {
			this.encoded = encoded;
		}

		@Override
		public Encoded encode(Object payload) {
			return this.encoded;
		}

		@Override
		public Object decode(Encoded encoded, Type type) {
			this.decoded.add(encoded);
			return new Mail("decoded");
		}

	}

}
