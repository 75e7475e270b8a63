package io.jobqueue.model;

import java.util.List;

/**
 * Choices that one number makes. The smaller it is, the more of them are the first ones.
 */
final class Choices {

	private long number;

	Choices(long number) {
		this.number = number;
	}

	int below(int bound) {
		int choice = (int) (this.number % bound);
		this.number /= bound;
		return choice;
	}

	boolean oneIn(int bound) {
		return below(bound) == bound - 1;
	}

	<T> T of(List<T> all) {
		return all.get(below(all.size()));
	}

	int of(int... all) {
		return all[below(all.length)];
	}

}
