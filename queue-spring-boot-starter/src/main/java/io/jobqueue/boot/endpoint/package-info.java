/**
 * The endpoint {@code /actuator/jobqueue}. Not API.
 */
@NullMarked
package io.jobqueue.boot.endpoint;

import org.jspecify.annotations.NullMarked;
