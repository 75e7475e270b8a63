/**
 * Random stories of jobs, on the real store beside a model of it.
 */
@NullMarked
package io.jobqueue.model;

import org.jspecify.annotations.NullMarked;
