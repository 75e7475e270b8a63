package io.jobqueue.operations;

import org.jspecify.annotations.Nullable;

/**
 * What an operator does.
 *
 * @param name its name
 * @param value what the jobs are to have from now on, {@code null} if the name says it
 * all
 */
record Operation(String name, @Nullable Object value) {

	static Operation of(String name) {
		return new Operation(name, null);
	}

	Operation to(Object value) {
		return new Operation(this.name, value);
	}

	/**
	 * Return the part of a sentence that tells the value.
	 */
	String change() {
		return (this.value != null) ? " to " + this.value : "";
	}

}
