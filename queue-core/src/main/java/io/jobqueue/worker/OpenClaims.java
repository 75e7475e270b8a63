package io.jobqueue.worker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How many jobs of each claim are still to be settled.
 */
final class OpenClaims {

	private final Map<Long, Long> jobs = new ConcurrentHashMap<>();

	private final Set<Long> leftOpen = ConcurrentHashMap.newKeySet();

	void open(long claim, int count) {
		if (count > 0) {
			this.jobs.put(claim, (long) count);
		}
	}

	/**
	 * Return the numbers of all open claims.
	 */
	List<Long> open() {
		return List.copyOf(this.jobs.keySet());
	}

	/**
	 * Have done with a claim all of whose jobs are given back.
	 */
	void forget(long claim) {
		this.jobs.remove(claim);
	}

	boolean isEmpty() {
		return this.jobs.isEmpty();
	}

	/**
	 * Return the claims that end when jobs of the given claims are settled. One with a
	 * job that is left to the reaper does not, for that is how the job is found.
	 */
	List<Long> endingWith(Collection<Long> claims) {
		return count(claims).entrySet()
			.stream()
			.filter((settled) -> settled.getValue().equals(this.jobs.get(settled.getKey())))
			.map(Map.Entry::getKey)
			.filter((claim) -> !this.leftOpen.contains(claim))
			.toList();
	}

	void settled(Collection<Long> claims) {
		count(claims).forEach((claim, count) -> this.jobs.computeIfPresent(claim,
				(key, open) -> (open > count) ? Long.valueOf(open - count) : null));
		this.leftOpen.retainAll(this.jobs.keySet());
	}

	/**
	 * Have done with a job that is not settled: it is left to the reaper.
	 */
	void leave(long claim) {
		this.leftOpen.add(claim);
		settled(List.of(claim));
	}

	private static Map<Long, Long> count(Collection<Long> claims) {
		return claims.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
	}

}
