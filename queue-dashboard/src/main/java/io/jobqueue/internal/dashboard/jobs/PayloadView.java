package io.jobqueue.internal.dashboard.jobs;

import java.io.StringWriter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.JobPayload;

/**
 * A payload as text.
 *
 * @param text its beginning: JSON is indented, bytes are hexadecimal
 * @param note its size, and how much of it is shown
 */
public record PayloadView(String text, String note) {

	private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private static final int MAX_BYTES = 512;

	/**
	 * Return the beginning of a payload, or of a result.
	 * @param payload the payload
	 * @param shown whether the content is not hidden
	 * @return the view
	 */
	public static PayloadView of(JobPayload payload, boolean shown) {
		if (!shown) {
			return new PayloadView(payload.content(), size(payload));
		}
		return payload.binary() ? ofBytes(payload) : ofText(payload);
	}

	private static PayloadView ofBytes(JobPayload payload) {
		byte[] bytes = Base64.getDecoder().decode(payload.content());
		int length = Math.min(bytes.length, MAX_BYTES);
		String text = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, length);
		return new PayloadView(text, note(payload, length));
	}

	private static PayloadView ofText(JobPayload payload) {
		String text = payload.content();
		boolean complete = text.codePointCount(0, text.length()) == payload.size();
		return complete ? new PayloadView(indented(text), size(payload))
				: new PayloadView(text, note(payload, text.codePointCount(0, text.length())));
	}

	private static String note(JobPayload payload, long length) {
		return (length < payload.size()) ? String.format(Locale.ENGLISH, "the first %,d of %s", length, size(payload))
				: size(payload);
	}

	private static String size(JobPayload payload) {
		return String.format(Locale.ENGLISH, payload.binary() ? "%,d bytes, binary" : "%,d characters", payload.size());
	}

	/**
	 * Copies tokens: an object of Java would lose duplicate names and digits.
	 */
	private static String indented(String text) {
		StringWriter indented = new StringWriter();
		try (JsonParser parser = JSON.createParser(text); JsonGenerator generator = JSON.createGenerator(indented)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				generator.copyCurrentEventExact(parser);
			}
		}
		catch (JacksonException ex) {
			return text;
		}
		return indented.toString();
	}

}
