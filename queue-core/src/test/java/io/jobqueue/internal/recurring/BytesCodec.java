package io.jobqueue.internal.recurring;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

import io.jobqueue.PayloadCodec;
import io.jobqueue.harness.Mail;

/**
 * Stores mails, and the empty payload of declared schedules, as bytes.
 */
final class BytesCodec implements PayloadCodec {

	@Override
	public Encoded encode(Object payload) {
		String text = (payload instanceof Mail mail) ? mail.text() : "";
		return Encoded.ofBytes(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public Object decode(Encoded encoded, Type type) {
		String text = new String(Objects.requireNonNull(encoded.bytes()), StandardCharsets.UTF_8);
		return (type == Mail.class) ? new Mail(text) : Map.of();
	}

}
