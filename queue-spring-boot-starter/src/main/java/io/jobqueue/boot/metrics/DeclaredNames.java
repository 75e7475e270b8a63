package io.jobqueue.boot.metrics;

import java.util.Map;
import java.util.Set;

/**
 * The names that this node knows of. Others are not let into tags, so that their number
 * stays bounded.
 */
public interface DeclaredNames {

	/**
	 * What stands for all names that are not declared.
	 */
	String OTHER = "(other)";

	/**
	 * Return the declared queues.
	 * @return names of queues
	 */
	Set<String> queues();

	/**
	 * Return those of the declared queues that payload classes name. Such a class is met
	 * at any time, so this is asked often.
	 * @return a view of the names
	 */
	Set<String> queuesOfPayloads();

	/**
	 * Return the types that are handled here.
	 * @return the names of the types for each queue
	 */
	Map<String, Set<String>> typesByQueue();

}
