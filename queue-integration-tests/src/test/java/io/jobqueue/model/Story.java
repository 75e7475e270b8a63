package io.jobqueue.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens to the queue, in order.
 */
record Story(List<Operation> operations) {

	@Override
	public String toString() {
		return this.operations.stream().map(Object::toString).collect(Collectors.joining("\n  ", "\n  ", "\n"));
	}

}
