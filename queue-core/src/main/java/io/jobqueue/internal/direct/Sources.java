package io.jobqueue.internal.direct;

import java.util.List;

/**
 * Sources of jobs outside the database.
 */
@FunctionalInterface
public interface Sources {

	/**
	 * Return why sources do not make progress.
	 * @return a sentence for each source with a problem
	 */
	List<String> problems();

}
