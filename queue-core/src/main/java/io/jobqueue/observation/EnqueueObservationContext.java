package io.jobqueue.observation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.payload.Headers;

/**
 * The context of a call that enqueues jobs. Its carrier is a map whose entries are added
 * to the headers of all jobs.
 */
public final class EnqueueObservationContext extends SenderContext<Map<String, String>> {

	static final String OTHER = "(other)";

	static final String SEVERAL = "(several)";

	private final Map<String, String> carried = new LinkedHashMap<>();

	private final List<JobRequest> requests;

	private final String queue;

	private final String queueTag;

	private final String typeTag;

	private List<JobReceipt> receipts = List.of();

	EnqueueObservationContext(List<JobRequest> requests, JobNames names) {
		super(Headers::carry, Kind.PRODUCER);
		setCarrier(this.carried);
		this.requests = requests;
		this.queue = common(requests, names::queue);
		this.queueTag = isName(this.queue) ? queueTag(this.queue, names) : this.queue;
		this.typeTag = typeTag(common(requests, names::type), requests, names);
	}

	static String queueTag(String queue, JobNames names) {
		return names.declaresQueue(queue) ? queue : OTHER;
	}

	/**
	 * The name of a payload class is bounded. The name in a request is not, so it becomes
	 * a tag only if this node declares it.
	 */
	private static String typeTag(String type, List<JobRequest> requests, JobNames names) {
		boolean bounded = !isName(type) || requests.stream().allMatch((request) -> request.type() == null);
		return (bounded || names.declaresType(type)) ? type : OTHER;
	}

	private static boolean isName(String common) {
		return !common.equals(SEVERAL) && !common.equals(KeyValue.NONE_VALUE);
	}

	/**
	 * A request without a valid name is rejected when it is enqueued.
	 */
	private static <T> String common(List<T> all, Function<T, String> name) {
		try {
			List<String> names = all.stream().map(name).distinct().limit(2).toList();
			return (names.size() == 1) ? names.get(0) : SEVERAL;
		}
		catch (JobRejectedException ex) {
			return KeyValue.NONE_VALUE;
		}
	}

	/**
	 * Return the requests of the call.
	 * @return the requests that the interceptors have passed on
	 */
	public List<JobRequest> getRequests() {
		return this.requests;
	}

	/**
	 * Return the receipts of the requests.
	 * @return a receipt for each request, empty until the jobs are written
	 */
	public List<JobReceipt> getReceipts() {
		return this.receipts;
	}

	void setReceipts(List<JobReceipt> receipts) {
		this.receipts = receipts;
	}

	/**
	 * Return the queue of all requests, whether this node declares it or not.
	 * @return the queue's name, {@code (several)} if there is more than one, {@code none}
	 * if a request has no valid one
	 */
	public String getQueue() {
		return this.queue;
	}

	/**
	 * Return the queue of all requests, as a key of low cardinality.
	 * @return the queue's name, {@code (other)} if this node does not declare it,
	 * {@code (several)} if there is more than one, {@code none} if a request has no valid
	 * one
	 */
	public String getQueueTag() {
		return this.queueTag;
	}

	/**
	 * Return the type of all requests, as a key of low cardinality.
	 * @return the type's name, {@code (other)} if this node does not declare it,
	 * {@code (several)} if there is more than one, {@code none} if a request has no valid
	 * one
	 */
	public String getTypeTag() {
		return this.typeTag;
	}

	/**
	 * Return the outcome of all requests.
	 * @return the outcome in lower case, {@code (several)} if there is more than one,
	 * {@code none} until the jobs are written
	 */
	public String getOutcome() {
		return this.receipts.isEmpty() ? KeyValue.NONE_VALUE
				: common(this.receipts, (receipt) -> lowerCase(receipt.outcome()));
	}

	private static String lowerCase(JobReceipt.Outcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the requests with the headers of the carrier.
	 */
	List<JobRequest> carrying() {
		return this.carried.isEmpty() ? this.requests : this.requests.stream().map(this::carrying).toList();
	}

	private JobRequest carrying(JobRequest request) {
		JobRequest extended = request;
		for (Map.Entry<String, String> header : this.carried.entrySet()) {
			extended = extended.header(header.getKey(), header.getValue());
		}
		return extended;
	}

}
