package io.jobqueue.boot.health;

import java.util.Collection;

/**
 * What is beyond a threshold at the moment. Beans of this type are shown in health, which
 * is DOWN because of them where {@code jobqueue.health.alerts} says so.
 */
@FunctionalInterface
public interface AlertStatus {

	/**
	 * Return what is wrong. The answer must not wait for the database.
	 * @return a short text for each threshold that is crossed
	 */
	Collection<String> crossed();

}
