package io.jobqueue.internal.store;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The encoding of a database, which may lack characters.
 */
public final class DatabaseEncoding {

	/**
	 * The encoding of a database that stores all characters.
	 */
	public static final DatabaseEncoding UNICODE = new DatabaseEncoding("UTF8", null);

	private static final int ASCII = 128;

	private static final Map<String, DatabaseEncoding> KNOWN = new ConcurrentHashMap<>(
			Map.of("UTF8", UNICODE, "SQL_ASCII", UNICODE));

	/**
	 * The names in Java that do not follow from those in PostgreSQL.
	 */
	private static final Map<String, String> CHARSETS = Map.of("EUC_JP", "x-eucJP-Open", "LATIN7", "ISO-8859-13",
			"WIN866", "IBM866", "WIN874", "x-windows-874");

	/**
	 * The characters that EUC_JP has either in PostgreSQL or in Java. The encodings of
	 * one byte, EUC_CN and EUC_KR have the same characters in both.
	 */
	private static final String DIFFERENT_IN_EUC_JP = "\u00a2\u00a3\u00a5\u00a6\u00ac\u2014\u2015\u2016\u203e\u2212\u2225\u301c\uff0d\uffe0\uffe1\uffe2\uffe4";

	private final String name;

	private final @Nullable Charset charset;

	private DatabaseEncoding(String name, @Nullable Charset charset) {
		this.name = name;
		this.charset = charset;
	}

	/**
	 * Return an encoding of PostgreSQL.
	 * @param name its name there, {@code null} if unknown
	 * @return the encoding, which lacks no character if Java does not know it
	 */
	public static DatabaseEncoding of(@Nullable String name) {
		return (name != null) ? KNOWN.computeIfAbsent(name, DatabaseEncoding::read) : UNICODE;
	}

	private static DatabaseEncoding read(String name) {
		String charset = CHARSETS.getOrDefault(name,
				name.replaceFirst("^WIN", "windows-").replace("ISO_8859_", "ISO-8859-").replaceFirst("^KOI8", "KOI8-"));
		return new DatabaseEncoding(name, Charset.isSupported(charset) ? Charset.forName(charset) : null);
	}

	/**
	 * Return why the database cannot store a text.
	 * @param text the text
	 * @return the reason, which names the first character that the encoding lacks,
	 * {@code null} if it lacks none
	 */
	public @Nullable String refusal(String text) {
		if (this.charset == null) {
			return null;
		}
		CharsetEncoder encoder = this.charset.newEncoder();
		OptionalInt lacking = text.codePoints().filter((character) -> !encodes(encoder, character)).findFirst();
		return lacking.isEmpty() ? null
				: "contains the character U+%04X, which the encoding of the database, %s, does not have"
					.formatted(lacking.getAsInt(), this.name);
	}

	/**
	 * Replace each character that the database cannot store by a question mark.
	 * @param text the text
	 * @return the text to store
	 */
	public String replaced(String text) {
		if (this.charset == null) {
			return text;
		}
		CharsetEncoder encoder = this.charset.newEncoder();
		return text.codePoints()
			.map((character) -> encodes(encoder, character) ? character : '?')
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	private boolean encodes(CharsetEncoder encoder, int character) {
		return character < ASCII || encoder.canEncode(Character.toString(character)) != isDifferent(character);
	}

	private boolean isDifferent(int character) {
		return "EUC_JP".equals(this.name) && DIFFERENT_IN_EUC_JP.indexOf(character) >= 0;
	}

	/**
	 * Return the name of the encoding.
	 */
	@Override
	public String toString() {
		return this.name;
	}

}
