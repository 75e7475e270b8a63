package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The claimed jobs of a queue that wait for a handler, the most urgent one first, and
 * those that threads collect for their next call. Guarded by its executor.
 */
final class JobBuffer {

	private final PayloadBudget.Share payloads;

	private final List<Gathering> gatherings = new ArrayList<>();

	private final NavigableSet<BufferedJob> waiting = new TreeSet<>();

	JobBuffer(PayloadBudget.Share payloads) {
		this.payloads = payloads;
	}

	/**
	 * Add all jobs, or none if there is not enough memory.
	 */
	void add(List<BufferedJob> jobs) {
		Set<BufferedJob> sorted = new TreeSet<>(jobs);
		this.payloads.add(jobs);
		try {
			this.waiting.addAll(sorted);
		}
		catch (RuntimeException | Error ex) {
			this.waiting.removeAll(sorted);
			removePayloads(jobs);
			throw ex;
		}
		this.gatherings.forEach((gathering) -> gathering.takeFrom(this.waiting));
	}

	/**
	 * Add the waiting jobs that fit to a gathering, and those that are added later until
	 * it {@linkplain #end ends}.
	 */
	void begin(Gathering gathering) {
		gathering.takeFrom(this.waiting);
		this.gatherings.add(gathering);
	}

	void end(Gathering gathering) {
		this.gatherings.remove(gathering);
	}

	/**
	 * Return whether threads collect jobs.
	 */
	boolean isGathering() {
		return !this.gatherings.isEmpty();
	}

	/**
	 * Return the number of jobs that calls can take that are about to begin.
	 */
	int room() {
		int room = 0;
		for (Gathering gathering : this.gatherings) {
			room += gathering.room();
		}
		return room;
	}

	/**
	 * Remove waiting jobs.
	 * @return the removed jobs
	 */
	List<BufferedJob> removeWaiting(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = new ArrayList<>(this.waiting);
		removed.removeIf(unwanted.negate());
		removed.forEach(this.waiting::remove);
		removePayloads(removed);
		return removed;
	}

	/**
	 * Remove jobs from calls that are about to begin.
	 * @return the removed jobs
	 */
	List<BufferedJob> removeGathered(Predicate<BufferedJob> unwanted) {
		List<BufferedJob> removed = new ArrayList<>();
		this.gatherings.forEach((gathering) -> removed.addAll(gathering.remove(unwanted)));
		removePayloads(removed);
		return removed;
	}

	/**
	 * Free the memory of jobs that no handler needs any more.
	 */
	void removePayloads(Collection<BufferedJob> jobs) {
		jobs.forEach(this.payloads::remove);
	}

	@Nullable BufferedJob peek() {
		return this.waiting.isEmpty() ? null : this.waiting.first();
	}

	@Nullable BufferedJob poll() {
		return this.waiting.pollFirst();
	}

	boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	/**
	 * Return the number of jobs that wait, without those of calls that are about to
	 * begin.
	 */
	int size() {
		return this.waiting.size();
	}

	/**
	 * Return the priority of the least urgent waiting job.
	 */
	int lastPriority() {
		return this.waiting.last().job().priority();
	}

}
