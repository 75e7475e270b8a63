/**
 * The embedded mail server, which files the messages in the data folder and shows them.
 */
@NullMarked
package io.jobqueue.sample.mail;

import org.jspecify.annotations.NullMarked;
