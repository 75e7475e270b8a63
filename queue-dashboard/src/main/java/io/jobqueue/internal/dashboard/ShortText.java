package io.jobqueue.internal.dashboard;

/**
 * Cuts texts of any length.
 */
public final class ShortText {

	private ShortText() {
	}

	/**
	 * Return the beginning of a text, without half of a character.
	 * @param text the text
	 * @param length the maximum length
	 * @return the text, or its beginning and an ellipsis
	 */
	public static String of(String text, int length) {
		if (text.length() <= length) {
			return text;
		}
		int end = length - 1;
		return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
	}

}
