/**
 * Workers in JVMs of their own on one database.
 */
@NullMarked
package io.jobqueue.nodes;

import org.jspecify.annotations.NullMarked;
