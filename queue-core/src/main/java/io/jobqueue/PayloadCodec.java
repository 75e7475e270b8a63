package io.jobqueue;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Encodes payloads for the table, and decodes them. JSON by default; a bean of this type
 * replaces it for all queues, or for those whose setting {@code codec} names it.
 * <p>
 * {@code decode} receives exactly what {@code encode} returned, possibly in another JVM
 * and years later. An exception of {@code encode} rejects the job in the caller, one of
 * {@code decode} fails the attempt; both are reported with the job's type.
 * Implementations must be safe for use by several threads.
 */
public interface PayloadCodec {

	/**
	 * Encode a payload.
	 * @param payload the payload
	 * @return what to store
	 */
	Encoded encode(Object payload);

	/**
	 * Decode a payload.
	 * @param encoded what was stored
	 * @param type the type of the handler's parameter
	 * @return the payload
	 */
	Object decode(Encoded encoded, Type type);

	/**
	 * Check whether a type can be encoded but never decoded. A handler of such a type is
	 * refused at start; without a handler, its first payload is refused when it is
	 * enqueued.
	 * @param type the type of the handler's parameter, or the class of the payload
	 * @return the reason, as the rest of a sentence, or {@code null} if there is none or
	 * it is unknown, which is the default
	 */
	default @Nullable String unreadable(Type type) {
		return null;
	}

	/**
	 * A stored payload: text, which is readable in the column {@code payload}, or bytes,
	 * in {@code payload_bytes}. Arrays are not copied.
	 *
	 * @param text the text, without the character NUL, which databases cannot store
	 * @param bytes the bytes
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Encoded(@Nullable String text, byte @Nullable [] bytes) {

		/**
		 * Create a stored payload of either text or bytes.
		 * @param text the text
		 * @param bytes the bytes
		 * @throws IllegalArgumentException if there are both or none
		 */
		public Encoded {
			if ((text == null) == (bytes == null)) {
				throw new IllegalArgumentException("Exactly one of 'text' and 'bytes' must be given");
			}
		}

		/**
		 * Store a payload as text.
		 * @param text the text
		 * @return the stored payload
		 */
		public static Encoded ofText(String text) {
			return new Encoded(Objects.requireNonNull(text, "'text' must not be null"), null);
		}

		/**
		 * Store a payload as bytes.
		 * @param bytes the bytes
		 * @return the stored payload
		 */
		public static Encoded ofBytes(byte[] bytes) {
			return new Encoded(null, Objects.requireNonNull(bytes, "'bytes' must not be null"));
		}

		/**
		 * Compare the contents of the payloads.
		 */
		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Encoded that && Objects.equals(this.text, that.text)
					&& Arrays.equals(this.bytes, that.bytes);
		}

		@Override
		public int hashCode() {
			return 31 * Objects.hashCode(this.text) + Arrays.hashCode(this.bytes);
		}

		@Override
		public String toString() {
			return (this.text != null) ? "text" : "bytes";
		}

	}

}
