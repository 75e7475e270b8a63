package io.jobqueue.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

import io.jobqueue.JobBatch;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;

/**
 * Handlers that take several jobs in one call.
 */
@Component
class Postcards {

	@JobHandler(queue = "postcards", batchSize = 500, batchWait = "20ms")
	List<JobResult> print(List<PostcardWanted> postcards) {
		List<JobResult> results = new ArrayList<>();
		for (boolean printed : this.printer.printAll(postcards)) {
			results.add(printed ? JobResult.success() : JobResult.fail("The address is not known"));
		}
		return results;
	}

	@JobHandler(queue = "letters", batchSize = 100)
	void deliver(JobBatch<LetterWanted> letters) {
		for (Item<LetterWanted> letter : letters.items()) {
			if (!this.post.takes(letter.payload().address(), letter.job().id())) {
				letters.complete(letter, JobResult.fail("The address is not known"));
			}
		}
	}

	private final Printer printer = new Printer();

	private final Post post = new Post();

	List<String> printed() {
		return this.printer.printed;
	}

	Map<UUID, String> taken() {
		return this.post.taken;
	}

	private static boolean isKnown(String address) {
		return !address.startsWith("Atlantis");
	}

	/**
	 * Prints many at a time.
	 */
	private static final class Printer {

		private final List<String> printed = new CopyOnWriteArrayList<>();

		List<Boolean> printAll(List<PostcardWanted> postcards) {
			postcards.stream().map(PostcardWanted::address).filter(Postcards::isKnown).forEach(this.printed::add);
			return postcards.stream().map(PostcardWanted::address).map(Postcards::isKnown).toList();
		}

	}

	/**
	 * Takes one at a time.
	 */
	private static final class Post {

		private final Map<UUID, String> taken = new ConcurrentHashMap<>();

		boolean takes(String address, UUID idempotencyKey) {
			return isKnown(address) && this.taken.put(idempotencyKey, address) == null;
		}

	}

}
