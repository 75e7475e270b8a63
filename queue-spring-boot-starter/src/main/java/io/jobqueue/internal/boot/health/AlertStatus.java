package io.jobqueue.internal.boot.health;

import java.util.Collection;

/**
 * The thresholds that are crossed now. Health shows all beans of this type, and is DOWN
 * while there are any if {@code jobqueue.health.alerts} is set.
 */
@FunctionalInterface
public interface AlertStatus {

	/**
	 * Return the crossed thresholds. Implementations must not wait for the database.
	 * @return a short text for each of them
	 */
	Collection<String> crossed();

}
