package io.jobqueue.internal.boot.metrics;

import java.util.Map;
import java.util.Set;

/**
 * The queues and types that this node declares. Tags have no other names, so that the
 * number of meters stays bounded.
 */
public interface DeclaredNames {

	/**
	 * Tag value of all names that are not declared.
	 */
	String OTHER = "(other)";

	/**
	 * Return the declared queues.
	 * @return names of queues
	 */
	Set<String> queues();

	/**
	 * Return those of the declared queues that payload classes name. Payload classes may
	 * be added at any time, so this is called often.
	 * @return a view of the names
	 */
	Set<String> queuesOfPayloads();

	/**
	 * Return the types that are handled here.
	 * @return the names of the types for each queue
	 */
	Map<String, Set<String>> typesByQueue();

}
