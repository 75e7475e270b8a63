/**
 * The names and codecs of what a job carries. Not API.
 */
@NullMarked
package io.jobqueue.payload;

import org.jspecify.annotations.NullMarked;
