package io.jobqueue.boot.autoconfigure;

/**
 * How many characters have to be inserted, deleted or replaced to make one text of
 * another (Levenshtein).
 */
final class EditDistance {

	private EditDistance() {
	}

	static int between(String one, String other) {
		int[] distances = new int[other.length() + 1];
		for (int column = 0; column <= other.length(); column++) {
			distances[column] = column;
		}
		for (int row = 1; row <= one.length(); row++) {
			int diagonal = distances[0];
			distances[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int replaced = diagonal + ((one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1);
				diagonal = distances[column];
				distances[column] = Math.min(replaced, 1 + Math.min(diagonal, distances[column - 1]));
			}
		}
		return distances[other.length()];
	}

}
