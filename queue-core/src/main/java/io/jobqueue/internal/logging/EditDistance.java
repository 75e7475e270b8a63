package io.jobqueue.internal.logging;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Computes the number of characters to insert, delete, replace or swap with their
 * neighbour to turn one text into another (optimal string alignment: the
 * Damerau-Levenshtein distance with at most one edit of each character).
 */
public final class EditDistance {

	/**
	 * The length of a name for which one edit is permitted. Shorter names are more often
	 * similar to names with another meaning.
	 */
	private static final int LETTERS_PER_EDIT = 3;

	private static final int MOST_EDITS = 2;

	private static final Pattern NUMBER = Pattern.compile("[-_]?[0-9]+");

	private EditDistance() {
	}

	/**
	 * Return the distance of two texts, a number of edits.
	 */
	static int between(String one, String other) {
		int[] beforeLast = new int[0];
		int[] last = first(other.length());
		for (int row = 1; row <= one.length(); row++) {
			int[] current = new int[other.length() + 1];
			current[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int replaced = last[column - 1] + ((one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1);
				int edited = Math.min(replaced, 1 + Math.min(last[column], current[column - 1]));
				current[column] = isSwap(one, row, other, column) ? Math.min(edited, 1 + beforeLast[column - 2])
						: edited;
			}
			beforeLast = last;
			last = current;
		}
		return last[other.length()];
	}

	private static int[] first(int length) {
		int[] distances = new int[length + 1];
		for (int column = 0; column <= length; column++) {
			distances[column] = column;
		}
		return distances;
	}

	private static boolean isSwap(String one, int row, String other, int column) {
		return row > 1 && column > 1 && one.charAt(row - 1) == other.charAt(column - 2)
				&& one.charAt(row - 2) == other.charAt(column - 1);
	}

	/**
	 * Return the nearest of several names, the first of those that are equally near.
	 * @param name the name to compare with
	 * @param names the names to choose from
	 * @return the nearest one, empty only if there are none
	 */
	public static Optional<String> nearest(String name, Collection<String> names) {
		return names.stream().min(Comparator.comparingInt((other) -> between(name, other)));
	}

	/**
	 * Return the nearest of the names that a name is likely a misspelling of.
	 * @param name the name to compare with
	 * @param names the names to choose from
	 * @return the nearest one, empty if none is near
	 */
	public static Optional<String> meant(String name, Collection<String> names) {
		return nearest(name, names.stream().filter((other) -> isMisspelling(name, other)).toList());
	}

	/**
	 * Return whether one of two different names is likely a misspelling of the other. The
	 * distance is at most 1 for names of 3 to 5 characters and at most 2 for longer ones;
	 * names of up to 2 characters never match. Names that differ only in their numbers do
	 * not match, such as {@code shard}, {@code shard-1} and {@code shard2}.
	 * @param one a name
	 * @param other another name
	 * @return {@code true} if one is likely a misspelling
	 */
	public static boolean isMisspelling(String one, String other) {
		int most = Math.min(MOST_EDITS, Math.max(one.length(), other.length()) / LETTERS_PER_EDIT);
		return between(one, other) <= most && !withoutNumbers(one).equals(withoutNumbers(other));
	}

	private static String withoutNumbers(String name) {
		return NUMBER.matcher(name).replaceAll("");
	}

}
