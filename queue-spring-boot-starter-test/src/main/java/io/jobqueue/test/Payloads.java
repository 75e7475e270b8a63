package io.jobqueue.test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;

/**
 * Compares stored payloads with expected ones.
 */
final class Payloads {

	private Payloads() {
	}

	static String text(Encoded payload) {
		return (payload.text() != null) ? payload.text()
				: HexFormat.of().formatHex(Objects.requireNonNull(payload.bytes()));
	}

	/**
	 * A codec may encode the same payload differently each time, and a class may have no
	 * {@code equals}.
	 */
	static boolean match(Encoded payload, Object expected, PayloadCodec codec) {
		Encoded encoded = codec.encode(expected);
		boolean same = Objects.equals(encoded.text(), payload.text())
				&& Arrays.equals(encoded.bytes(), payload.bytes());
		return same || expected.equals(codec.decode(payload, expected.getClass()));
	}

}
