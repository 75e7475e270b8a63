package io.jobqueue.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Tells which text the database can store: no text with the character NUL, which the
 * server refuses, nor with an unpaired surrogate, which the driver replaces.
 */
public final class StorableText {

	private StorableText() {
	}

	/**
	 * Return whether the database can store a text unchanged.
	 * @param text the text
	 * @return {@code false} if it contains NUL or an unpaired surrogate
	 */
	public static boolean isStorable(String text) {
		for (int index = 0; index < text.length(); index++) {
			char each = text.charAt(index);
			if (each == '\0' || (Character.isSurrogate(each) && !isPair(text, index++))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isPair(String text, int index) {
		return index + 1 < text.length() && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
	}

	/**
	 * Check the text by which something stored is to be found.
	 * @param name the name of the parameter
	 * @param text the text
	 * @return the text
	 * @throws IllegalArgumentException if the database cannot store it
	 */
	public static String require(String name, @Nullable String text) {
		Objects.requireNonNull(text, () -> "'%s' must not be null".formatted(name));
		Assert.isTrue(isStorable(text),
				() -> "'%s' contains the character NUL or an unpaired surrogate, which no stored text does"
					.formatted(name));
		return text;
	}

}
